package sites

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"autopilot/autopilot/plainfile"
	"autopilot/cmd/console"
	"autopilot/personas"
	"autopilot/sessions/timeline"
	"autopilot/sessions/view"
)

// recorded are the files of an agent run, in its folder.
var recorded = map[string]string{"prompt": "prompt.md", "reply": "reply.json", "transcript": "transcript.jsonl", "output": "output.log"}

// AgentRun names one by where its folder is. Its fields are the journal's, and never those of a request.
type AgentRun struct {
	Phase   int // 1-based position; 0: of the final review
	place   string
	n       int
	Task    *view.Task     // nil: it works on none
	Attempt *view.Attempt  // of the task
	Span    *timeline.Span // nil: it is so long ago that the timeline has dropped it
}

// Runs are the agent runs of a session that have records, oldest first.
func (s *Site) Runs(seen Sight) (all []AgentRun) {
	known := map[string]int{}
	add := func(a AgentRun) *AgentRun {
		id := fmt.Sprint(a.Phase, "/", a.place, "/", a.n)
		at, twice := known[id]
		if !twice {
			at, known[id] = len(all), len(all)
			all = append(all, a)
		}
		return &all[at]
	}
	spans := s.Spans()
	for i := range spans {
		if one := &spans[i]; one.Place != "" {
			add(AgentRun{Phase: one.Phase, place: one.Place, n: one.Attempt}).Span = one
		}
	}
	of := func(phase int, tasks []view.Task) {
		for i := range tasks {
			for j := range tasks[i].Attempts {
				if t := &tasks[i]; t.Attempts[j].Dispatch != "" {
					a := add(AgentRun{Phase: phase, place: t.ID, n: t.Attempts[j].N})
					a.Task, a.Attempt = t, &t.Attempts[j]
				}
			}
		}
	}
	for _, p := range seen.Phases {
		of(p.Position, p.Tasks)
	}
	of(0, seen.FinalTasks)
	return all
}

// Run is the agent run of a place, a phase and a number as an address has them; nil: there is none.
func (s *Site) Run(seen Sight, phase, place, n string) *AgentRun {
	all := s.Runs(seen)
	at := slices.IndexFunc(all, func(a AgentRun) bool {
		return strconv.Itoa(a.Phase) == phase && a.place == place && strconv.Itoa(a.n) == n
	})
	if at < 0 {
		return nil
	}
	return &all[at]
}

// Path is the end of its addresses.
func (a AgentRun) Path() string { return fmt.Sprintf("attempts/%d/%s/%d", a.Phase, a.place, a.n) }

// Title is what people call it.
func (a AgentRun) Title() string {
	what := a.place
	if a.Span != nil {
		what = view.Capital(a.Span.What)
	}
	switch {
	case a.Task != nil:
		what = fmt.Sprintf("Task %d (%s)", a.Task.N, a.Task.Title)
	case a.Phase == 0:
		return fmt.Sprintf("%s, attempt %d", what, a.n)
	}
	if a.Phase == 0 {
		return fmt.Sprintf("%s of the final review, attempt %d", what, a.n)
	}
	return fmt.Sprintf("%s, phase %d, attempt %d", what, a.Phase, a.n)
}

// Record gives one of the files of an agent run, or the output of its checks.
func (s *Site) Record(a AgentRun, what string) ([]byte, error) {
	name, known := recorded[what]
	if name = path.Join(a.Path(), name); what == "checks" && a.Attempt != nil && a.Attempt.Output != "" {
		name, known = a.Attempt.Output, true
	}
	if !known {
		return nil, fs.ErrNotExist
	}
	return plainfile.ReadIn(s.W.Session, name)
}

// Part is one of the records of an agent run, as its page shows it.
type Part struct {
	Name, What string
	Text       string // its beginning or its end
	Cut        bool
	Open       bool
}

// mostShown are the bytes of a record that a page shows; the whole is a link away.
const mostShown = 64 << 10

// Parts are what there is of an agent run.
func (s *Site) Parts(a AgentRun) (parts []Part, turns []Turn, err error) {
	for _, p := range []Part{{Name: "Prompt", What: "prompt"}, {Name: "Reply", What: "reply", Open: true}, {Name: "What it printed", What: "output"}, {Name: "Output of its checks", What: "checks"}} {
		text, err := s.Record(a, p.What)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case errors.Is(err, plainfile.ErrTooLarge):
			text = []byte("Too large to show here: " + err.Error())
		case err != nil:
			return nil, nil, err
		}
		if p.Text = string(text); p.What == "reply" {
			p.Text = indented(text)
		}
		if over := len(p.Text) - mostShown; over > 0 {
			if p.Cut = true; p.What == "prompt" {
				p.Text = p.Text[:mostShown]
			} else {
				p.Text = p.Text[over:]
			}
		}
		p.Text = console.Clean(strings.ToValidUTF8(p.Text, ""))
		parts = append(parts, p)
	}
	text, err := s.Record(a, "transcript")
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, plainfile.ErrTooLarge) {
		return parts, nil, nil
	}
	return parts, turnsOf(text), err
}

func indented(text []byte) string {
	var any json.RawMessage
	if json.Unmarshal(text, &any) != nil {
		return string(text)
	}
	pretty, err := json.MarshalIndent(any, "", "  ")
	if err != nil {
		return string(text)
	}
	return string(pretty)
}

// Turn is a message of a conversation with a model.
type Turn struct {
	Who, First, Text string
}

// mostTurns are the last messages that a page shows.
const mostTurns = 200

// turnsOf reads transcript.jsonl. A line that is none, such as the last one of a run that was killed, is left out.
func turnsOf(text []byte) (turns []Turn) {
	for line := range strings.Lines(string(text)) {
		var entry struct {
			Message *personas.Message `json:"message"`
			Notice  string            `json:"notice"`
		}
		switch err := json.Unmarshal([]byte(line), &entry); {
		case err != nil:
		case entry.Notice != "":
			turns = append(turns, newTurn("autopilot", entry.Notice))
		case entry.Message != nil:
			said := entry.Message.Content
			for _, call := range entry.Message.Calls {
				said += "\n→ " + call.Name + " " + call.Arguments
			}
			turns = append(turns, newTurn(entry.Message.Role, said))
		}
	}
	return turns[max(0, len(turns)-mostTurns):]
}

func newTurn(who, text string) Turn {
	text = strings.TrimSpace(console.Clean(text))
	if len(text) > mostShown/8 {
		text = strings.ToValidUTF8(text[:mostShown/8], "") + " …"
	}
	first, _, _ := strings.Cut(text, "\n")
	if short := []rune(first); len(short) > 120 {
		first = string(short[:120]) + " …"
	}
	return Turn{who, first, text}
}
