package app

import (
	"path/filepath"
	"time"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/sessions"
	"autopilot/sessions/view"
)

// Listed is a session as list --json shows it.
type Listed struct {
	Session    string        `json:"session"`
	Spec       string        `json:"spec,omitempty"`
	State      machine.Name  `json:"state,omitempty"`
	Phase      int           `json:"phase,omitempty"` // 1-based
	Phases     int           `json:"phases,omitempty"`
	Gate       string        `json:"gate,omitempty"`
	LastActive time.Time     `json:"lastActive,omitzero"`
	Next       string        `json:"next,omitempty"`
	Error      string        `json:"error,omitempty"`
	Title      string        `json:"title,omitempty"`
	Standing   view.Standing `json:"standing"`
	Headline   string        `json:"headline"`
	Since      time.Time     `json:"since,omitzero"`
	Running    bool          `json:"running"`
	CostUSD    float64       `json:"costUSD,omitempty"`
	Archived   bool          `json:"archived,omitempty"`
}

// Rows are the sessions of a repository as lists show them, also those that cannot be read.
func Rows(h *console.Host, repo *git.Repo) ([]Listed, error) {
	all, err := WithOlder(h, repo.Root())
	if err != nil {
		return nil, err
	}
	cfg := ConfigToLook(h, repo.Root())
	rows := make([]Listed, 0, len(all))
	for _, one := range all {
		rows = append(rows, rowOf(h, repo, cfg, one))
	}
	return rows, nil
}

// Archived are the sessions that --restart put aside.
func Archived(h *console.Host, repo *git.Repo) ([]Listed, error) {
	all, err := sessions.List(filepath.Join(repo.Root(), ".harness", "archive"), SessionOptions(h))
	rows := make([]Listed, 0, len(all))
	for _, one := range all {
		row := rowOf(h, repo, nil, one)
		row.Archived, row.Next, row.Headline = true, "", "archived, "+row.Headline
		rows = append(rows, row)
	}
	return rows, err
}

func rowOf(h *console.Host, repo *git.Repo, cfg *config.Config, one sessions.Summary) Listed {
	if one.Err != nil {
		return Listed{Session: one.Slug, Error: one.Err.Error(), Standing: view.Unreadable, Headline: "can't be read: " + console.OneLine(one.Err.Error()), Next: "autopilot doctor"}
	}
	w := &Workspace{Host: h, Repo: repo, Work: repo, Session: one.Dir}
	v := view.Of(w.Facts(one.State, cfg))
	r := Listed{
		Session: one.Slug, Spec: v.Spec, State: v.State, Phase: v.Phase, Phases: len(v.Phases), LastActive: v.LastActive, Next: v.Next,
		Title: v.Title, Standing: v.Standing, Headline: v.Headline + OfOlder(one), Since: v.Since, Running: v.Running, CostUSD: v.Usage.CostUSD,
	}
	if OfOlder(one) != "" { // a run takes it in first
		r.Next = "autopilot " + shell.QuotePath(v.Spec)
	}
	if v.Gate != nil {
		r.Gate = string(v.Gate.Kind)
	}
	return r
}
