package notify

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/machine"
)

var asked = time.Date(2026, 11, 25, 15, 4, 0, 0, time.UTC)

// about is a session in its second phase, whose agents say secret things.
func about() About {
	return About{
		Repository: "api", At: asked, Mask: func(text string) string { return strings.ReplaceAll(text, "sesame", "***") },
		State: machine.State{
			SessionID: "16f9987f", SessionSlug: "limits", SpecPath: "docs/limits.md", Revision: 50, CurrentPhase: 1, CurrentState: machine.ApprovePlan,
			Branch: "autopilot/limits", Tasks: make([]machine.Task, 5),
			Phases: []machine.Phase{{Number: "1", Name: "Count requests"}, {Number: "2", Name: "Rule engine", Complexity: machine.High}},
		},
	}
}

func gate(kind machine.GateKind) machine.Gate {
	return machine.Gate{
		ID: "g45", Kind: kind, Question: "An agent's words", Context: []string{"more of them, sesame"}, AskedAt: asked,
		Options: []machine.Option{{Name: "yes"}, {Name: "revise"}, {Name: machine.Stop}},
	}
}

func TestNoticesSayWhatHappened(t *testing.T) {
	done := about()
	done.State.CurrentState = machine.Done
	done.State.History = []machine.HistoryEntry{{TasksCompleted: 8}, {TasksCompleted: 3}}
	done.State.Usage.CostUSD = 7.8
	done.State.Register = machine.Register{{Fate: machine.FateOpen}}
	detail := about()
	detail.Detail = true
	last := about()
	last.State.CurrentState = machine.FinalReview
	turn := gate(machine.GateBlocked)
	turn.YourTurn = &machine.YourTurn{}
	limit := time.Date(2026, 11, 25, 17, 40, 0, 0, time.Local)
	for name, c := range map[string]struct {
		got             Notice
		id, title, text string
	}{
		"a plan":                {about().Question(gate(machine.GateApprovePlan)), "16f9987f/45", "limits: approve the plan of phase 2 (Rule engine)?", "5 tasks, high complexity."},
		"a plan in detail":      {detail.Question(gate(machine.GateApprovePlan)), "16f9987f/45", "limits: approve the plan of phase 2 (Rule engine)?", "5 tasks, high complexity. An agent's words more of them, ***"},
		"an agent's question":   {about().Question(gate(machine.GateBlocked)), "16f9987f/45", "limits: an agent is blocked in phase 2 (Rule engine); what should it do?", ""},
		"a person's turn":       {about().Question(turn), "16f9987f/45", "limits: your turn in phase 2 (Rule engine)?", ""},
		"a kind of the future":  {about().Question(gate("lunch")), "16f9987f/45", "limits: a question is open; what now?", ""},
		"the final review":      {last.Question(gate(machine.GateFinalBlocking)), "16f9987f/45", "limits: the final review found problems; fix them?", ""},
		"a reminder":            {About{State: about().State, At: asked.Add(2 * time.Hour)}.Reminder(gate(machine.GatePause), 1), "16f9987f/45/r1", "limits: paused; continue?", "Open for 2h."},
		"done":                  {done.Done(), "16f9987f/50", "limits: done, 11 tasks, $7.80, 1 thing to look at", "Branch autopilot/limits."},
		"an error":              {about().Stopped("task 2 of 5 (Parse): claude isn't logged in.\n  run: claude /login"), "16f9987f/50", "limits: stopped: task 2 of 5 (Parse): claude isn't logged in", ""},
		"an error with secrets": {about().Stopped("the key sesame\x1b[2J is refused"), "16f9987f/50", "limits: stopped: the key *** [2J is refused", ""},
		"a limit":               {about().Waiting("claude", limit), "16f9987f/limit-" + unix(limit), "limits: waiting for claude until 17:40, continues by itself", ""},
		"a budget":              {about().Spending("20.00 USD", "80% of the budget of 20.00 USD is used, about 3 tasks left; --max-cost 40 raises it."), "16f9987f/budget-20.00-USD", "limits: 80% of the budget of 20.00 USD is used, about 3 tasks left", "--max-cost 40 raises it."},
		"a phase's budget":      {about().Spending("9.00 USD for phase 2", "90 % are used"), "16f9987f/budget-9.00-USD-for-phase-2-2", "limits: 90 % are used", ""},
	} {
		if diff := cmp.Diff([]string{c.id, c.title, c.text}, []string{c.got.ID, c.got.Title, c.got.Text}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func unix(at time.Time) string {
	text, _ := json.Marshal(at.Unix())
	return string(text)
}

func TestEachKindOfGateHasItsQuestion(t *testing.T) {
	for _, offer := range machine.Offers() {
		if questions[offer.Kind] == "" {
			t.Errorf("nothing is said of %s", offer.Kind)
		}
	}
}

func TestTheNoticeAsJSON(t *testing.T) {
	got, err := json.Marshal(about().Question(gate(machine.GateApprovePlan)))
	want := `{"id":"16f9987f/45","event":"question","title":"limits: approve the plan of phase 2 (Rule engine)?","text":"5 tasks, high complexity.",` +
		`"session":"16f9987f","spec":"docs/limits.md","repository":"api","phase":2,"gate":{"id":"g45","kind":"approve_plan","options":["yes","revise"]},` +
		`"command":"autopilot answer docs/limits.md","at":"2026-11-25T15:04:00Z"}`
	if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestLongTextsAreCut(t *testing.T) {
	n := about().Stopped(strings.Repeat("ä", 1000))
	if got := len([]rune(n.Title)); got != longestTitle || !strings.HasSuffix(n.Title, "…") {
		t.Errorf("a title of %d characters", got)
	}
}
