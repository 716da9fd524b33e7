package personas

import (
	"cmp"
	"encoding/json"
	"path"
	"strings"
)

// handoff is the older shape of what an agent hands back. Its lists hold
// strings or objects, and single values stand where lists are meant.
type handoff struct {
	Status    string `json:"status"`
	Summary   string `json:"summary"`
	PlanPath  string `json:"planPath"`
	Pending   loose  `json:"pending"`
	Concerns  loose  `json:"concerns"`
	Decisions loose  `json:"decisions"`
	Blockers  loose  `json:"blockers"`
	Artifacts loose  `json:"artifacts"`
	Findings  []struct {
		Severity    Severity `json:"severity"`
		File        string   `json:"file"`
		Line        int      `json:"line"`
		Title       string   `json:"title"`
		Message     string   `json:"message"`
		Rationale   string   `json:"rationale"`
		Description string   `json:"description"`
	} `json:"findings"`
}

// FromHandoff reads a handoff.json in the older shape {fromSkill, summary,
// pending[], concerns[], decisions[], blockers[], …} as a reply. Blockers make
// it blocked; pending work goes into the summary, because for a planner it is
// what the next persona does, and no failure; decisions become learnings.
func FromHandoff(data []byte) (Reply, error) {
	var h handoff
	if err := decodeOne(data, &h); err != nil {
		return Reply{}, &ReplyError{[]string{"handoff.json: " + jsonProblem(data, err)}}
	}
	r := Reply{
		Status: Status(cmp.Or(h.Status, string(StatusDone))), Summary: h.Summary,
		PlanPath: cmp.Or(h.PlanPath, planAmong(h.Artifacts)), Concerns: h.Concerns,
	}
	if len(h.Blockers) > 0 {
		r.Status, r.Blocker = StatusBlocked, strings.Join(h.Blockers, "; ")
	}
	if len(h.Pending) > 0 {
		r.Summary = strings.TrimSpace(r.Summary + "\n\nPending:\n" + bulleted(h.Pending))
	}
	for _, d := range h.Decisions {
		r.Learnings = append(r.Learnings, Learning{Outcome: "decision", Text: d})
	}
	for _, f := range h.Findings {
		r.Findings = append(r.Findings, Finding{
			Severity: f.Severity, File: f.File, Line: f.Line,
			Title: cmp.Or(f.Title, f.Message, f.Description), Rationale: cmp.Or(f.Rationale, f.Description),
		})
	}
	r.normalise()
	if problems := r.problems(); len(problems) > 0 {
		return r, &ReplyError{problems}
	}
	return r, nil
}

func planAmong(artifacts []string) string {
	for _, a := range artifacts {
		if strings.HasSuffix(a, ".md") && path.Base(path.Dir(a)) == "plans" {
			return a
		}
	}
	return ""
}

// loose is a list of texts that takes whatever stands there.
type loose []string

func (l *loose) UnmarshalJSON(data []byte) error {
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	*l = nil
	switch v := v.(type) {
	case nil:
	case []any:
		for _, e := range v {
			l.add(e)
		}
	default:
		l.add(v)
	}
	return nil
}

// textKeys are where objects in real handoffs keep their text, best first.
var textKeys = []string{"what", "text", "title", "description", "summary", "message", "path", "name", "task", "decision"}

func (l *loose) add(v any) {
	switch v := v.(type) {
	case nil:
	case string:
		if strings.TrimSpace(v) != "" {
			*l = append(*l, v)
		}
	case map[string]any:
		*l = append(*l, objectText(v))
	default:
		raw, _ := json.Marshal(v) // came out of Unmarshal, so it goes in again
		*l = append(*l, string(raw))
	}
}

func objectText(o map[string]any) string {
	for _, key := range textKeys {
		text, ok := o[key].(string)
		if !ok || strings.TrimSpace(text) == "" {
			continue
		}
		if why, ok := o["why"].(string); ok && why != "" {
			return text + " (" + why + ")"
		}
		return text
	}
	raw, _ := json.Marshal(o)
	return string(raw)
}
