package report

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"strings"

	"autopilot/autopilot/closing"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/cmd/app"
	"autopilot/config"
	"autopilot/sessions"
	"autopilot/sessions/audit"
	"autopilot/sessions/report"
	"autopilot/sessions/view"
)

// Gather reads what the short forms of a report are made of: journal and commits. cfg may be nil.
func Gather(ctx context.Context, w *app.Workspace, cfg *config.Config) (report.Facts, error) {
	past, record := &view.Transcript{}, &report.Record{}
	var s machine.State
	_, err := sessions.Replay(w.Session, w.SessionOptions(ctx), func(before machine.State, e machine.Event, after machine.State) {
		past.Take(before, e, after)
		record.Take(before, e, after)
		s = after
	})
	if errors.Is(err, sessions.ErrNoJournal) {
		past, record = nil, nil
		s, _, err = sessions.Read(w.Session, w.SessionOptions(ctx))
	}
	if err == nil {
		err = w.NotAnothers(s)
	}
	if err != nil {
		return report.Facts{}, w.Missing(err)
	}
	if past != nil {
		past.Sizes = w.Sizes(ctx, s)
	}
	now := w.Host.Now()
	known := view.Facts{
		State: s, Past: past, Held: s.CurrentState != machine.Done && sessions.Held(w.Session), At: now,
		Budgets: budgets(cfg, s), Tasks: closing.TaskMetrics(s, w.Session),
	}
	_, missing := exec.LookPath("gh")
	canPR := missing == nil && s.Branch != "" && w.Repo.Config.RemoteURL(ctx, "origin") != ""
	return report.Facts{Session: view.Of(known), Record: record, CanPR: canPR, At: now.Local()}, nil
}

// Texts are the short forms of a session's report, which a run needs at its end.
type Texts struct {
	Workspace *app.Workspace
	Config    *config.Config
}

// Markdown is what summary.md says, with the evidence that is gone or changed.
func (t Texts) Markdown(ctx context.Context, altered []string) (string, error) {
	f, err := Gather(ctx, t.Workspace, t.Config)
	f.Altered = altered
	return report.Markdown(f), err
}

// PullRequest is the body of a pull request that closes an issue; "" is none.
func (t Texts) PullRequest(ctx context.Context, issue string) (string, error) {
	f, err := Gather(ctx, t.Workspace, t.Config)
	return report.PullRequest(f, issue), err
}

// Block is what stands at the end of a run, for a terminal of a width; 0 is not known. A run that makes a pull request need not
// be told how.
func (t Texts) Block(ctx context.Context, width int, makesPR bool) (string, error) {
	f, err := Gather(ctx, t.Workspace, t.Config)
	f.CanPR = f.CanPR && !makesPR
	return report.Text(f, width), err
}

// budgets are the bounds of the whole session beside what was used of them.
func budgets(cfg *config.Config, s machine.State) (list []view.Budget) {
	if cfg == nil {
		return nil
	}
	most := app.Settings(cfg).Limits.Session
	for _, b := range []view.Budget{
		{Name: "cost", Used: s.Usage.CostUSD, Of: most.CostUSD},
		{Name: "tokens", Used: float64(s.Usage.InputTokens + s.Usage.OutputTokens), Of: float64(most.Tokens)},
		{Name: "agent runs", Used: float64(s.Usage.Dispatches), Of: float64(most.Dispatches)},
		{Name: "duration", Used: s.Elapsed, Of: most.Duration.Seconds()},
	} {
		if b.Of > 0 {
			list = append(list, b)
		}
	}
	return list
}

const (
	mostLines = 200       // of a file that is shown
	mostOf    = 32 << 10  // bytes of one
	mostAll   = 448 << 10 // of all
)

// files adds what the page shows beside: plans, the output of commands, and what an audit finds. Outputs of what failed come first.
func files(ctx context.Context, w *app.Workspace, cfg *config.Config, f *report.Facts) {
	f.Plans, f.Outputs = map[string]string{}, map[string]string{}
	left, mask := mostAll, app.MaskOf(w.Host, cfg)
	take := func(into map[string]string, folder, name string) {
		if text := mask.Replace(beginning(folder, name)); len(text) <= left && text != "" {
			into[name] = text
			left -= len(text)
		}
	}
	for _, p := range f.Session.Phases {
		if p.PlanPath != "" {
			take(f.Plans, w.Work.Root(), p.PlanPath)
		}
	}
	if f.Record == nil {
		return
	}
	for _, passed := range []bool{false, true} {
		for _, run := range f.Record.Runs {
			if run.Evidence.Output != "" && machine.Passing(run.Checks) == passed {
				take(f.Outputs, w.Session, run.Evidence.Output)
			}
		}
	}
	if found, err := audit.Session(w.Session, w.SessionOptions(ctx)); err == nil {
		f.Audit = &found
	}
}

// beginning is the first lines of a file in a folder; "" of one that cannot be read.
func beginning(folder, name string) string {
	data, err := plainfile.ReadIn(folder, name)
	if err != nil {
		return ""
	}
	lines := bytes.SplitAfterN(data[:min(len(data), mostOf)], []byte("\n"), mostLines+1)
	text := bytes.Join(lines[:min(len(lines), mostLines)], nil)
	if len(text) < len(data) {
		text = append(bytes.TrimRight(text, "\n"), "\n… the rest is in the file\n"...)
	}
	return strings.ToValidUTF8(string(text), "·")
}
