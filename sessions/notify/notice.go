package notify

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/words"
)

// Event is what a notice is about.
type Event string

// The events.
const (
	Question Event = "question" // a person is asked
	Done     Event = "done"
	Stopped  Event = "stopped" // by an error or a budget, not by the user
	Limit    Event = "limit"   // a long wait for a backend's limit begins
	Budget   Event = "budget"  // most of one is spent
)

// Notice is what a person is told: the JSON that commands and webhooks get.
type Notice struct {
	ID         string    `json:"id"` // the same whenever the same notice is sent again
	Event      Event     `json:"event"`
	Title      string    `json:"title"`
	Text       string    `json:"text"`
	Session    string    `json:"session"`
	Spec       string    `json:"spec"`
	Repository string    `json:"repository"` // name of its folder
	Phase      int       `json:"phase,omitempty"`
	Gate       *Gate     `json:"gate,omitempty"` // of a question
	URL        string    `json:"url,omitempty"`  // of the session's page
	Command    string    `json:"command"`        // what to type next
	At         time.Time `json:"at"`
}

// Gate is the question that a notice is about.
type Gate struct {
	ID      string           `json:"id"`
	Kind    machine.GateKind `json:"kind"`
	Options []string         `json:"options"`
}

// About is the session that notices are about.
type About struct {
	State      machine.State
	Repository string              // name of its folder
	Detail     bool                // agents' words may be in notices
	Mask       func(string) string // takes secrets out
	At         time.Time
}

// Question tells that a gate is open.
func (a About) Question(g machine.Gate) Notice {
	n := a.notice(Question, strings.TrimPrefix(g.ID, "g"), asks(g, a.State)+"?", "autopilot answer "+a.spec())
	n.Gate = &Gate{ID: g.ID, Kind: g.Kind, Options: slices.DeleteFunc(g.Names(), func(name string) bool { return name == machine.Stop })}
	if g.Kind == machine.GateApprovePlan {
		n.Text = machine.Plural(len(a.State.Tasks), "task", "tasks") + ", " + string(a.State.Phases[a.State.CurrentPhase].Complexity) + " complexity."
	}
	return a.detailed(n, append([]string{g.Question}, g.Context...)...)
}

// Reminder tells for the nth time that a gate is still open.
func (a About) Reminder(g machine.Gate, n int) Notice {
	again := a.Question(g)
	again.ID += fmt.Sprintf("/r%d", n)
	again.Text = strings.TrimSpace("Open for " + words.Short(a.At.Sub(g.AskedAt).Round(time.Minute)) + ". " + again.Text)
	return again
}

// Done tells that the session came to its end.
func (a About) Done() Notice {
	tasks, parts := 0, []string{"done"}
	for _, h := range a.State.History {
		tasks += h.TasksCompleted
	}
	parts = append(parts, machine.Plural(tasks, "task", "tasks"))
	if cost := a.State.Usage.CostUSD; cost > 0 {
		parts = append(parts, fmt.Sprintf("$%.2f", cost))
	}
	left := a.State.Register.Left()
	if len(left) > 0 {
		parts = append(parts, machine.Plural(len(left), "thing", "things")+" to look at")
	}
	n := a.notice(Done, fmt.Sprint(a.State.Revision), strings.Join(parts, ", "), "autopilot status "+a.spec())
	if a.State.Branch != "" {
		n.Text = "Branch " + a.State.Branch + "."
	}
	return a.detailed(n, left.Lines()...)
}

// Stopped tells that the run ended before the session did; why is the error, which names the place.
func (a About) Stopped(why string) Notice {
	first, rest, _ := strings.Cut(strings.TrimSpace(why), "\n")
	n := a.notice(Stopped, fmt.Sprint(a.State.Revision), "stopped: "+strings.TrimSuffix(first, "."), "autopilot "+a.spec())
	return a.detailed(n, rest)
}

// Waiting tells that the run waits for the limit of a backend, and goes on by itself.
func (a About) Waiting(backend string, until time.Time) Notice {
	return a.notice(Limit, "limit-"+fmt.Sprint(until.Unix()),
		fmt.Sprintf("waiting for %s until %s, continues by itself", backend, until.Local().Format("15:04")), "autopilot status "+a.spec())
}

// Spending tells that most of a budget is spent. Only the budgets of a session have names that mean the same in each phase.
func (a About) Spending(budget, warning string) Notice {
	id := "budget-" + budget
	if strings.Contains(budget, " for ") {
		id = fmt.Sprintf("%s-%d", id, a.State.CurrentPhase+1)
	}
	what, rest, _ := strings.Cut(warning, "; ")
	n := a.notice(Budget, strings.ReplaceAll(id, " ", "-"), what, "autopilot status "+a.spec())
	n.Text = rest
	return a.masked(n)
}

// Sample is a notice for trying channels.
func (a About) Sample() Notice {
	n := a.notice(Question, "test-"+fmt.Sprint(a.At.Unix()), "this is a test", "autopilot notify test")
	n.Title, n.Text = "autopilot: this is a test", "If you can read this, notices reach you here."
	return n
}

func (a About) spec() string { return shell.QuotePath(a.State.SpecPath) }

// notice is what all have in common. The name of the session comes first in its title.
func (a About) notice(e Event, key, title, command string) Notice {
	n := Notice{
		ID: a.State.SessionID + "/" + key, Event: e, Title: a.State.SessionSlug + ": " + title, Command: command,
		Session: a.State.SessionID, Spec: a.State.SpecPath, Repository: a.Repository, At: a.At.UTC(),
	}
	if inPhase(a.State) {
		n.Phase = a.State.CurrentPhase + 1
	}
	return a.masked(n)
}

// detailed adds words of agents, where those are wanted.
func (a About) detailed(n Notice, lines ...string) Notice {
	if a.Detail {
		n.Text = strings.Join(append([]string{n.Text}, lines...), "\n")
	}
	return a.masked(n)
}

// How long texts may be, in characters: what a phone shows, and what the smallest of the channels takes.
const (
	longestTitle = 160
	longestText  = 600
)

func (a About) masked(n Notice) Notice {
	n.Title, n.Text = a.plain(n.Title, longestTitle), a.plain(n.Text, longestText)
	return n
}

// plain is a text on one line, without secrets, and cut where it is too long.
func (a About) plain(text string, most int) string {
	if a.Mask != nil {
		text = a.Mask(text)
	}
	text = words.OneLine(text)
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most-1]) + "…"
	}
	return text
}
