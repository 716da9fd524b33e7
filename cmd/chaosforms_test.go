package cmd

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"autopilot/cmd/simulate"
	"autopilot/personas/chaos"
)

// noticedBy says by what each behaviour has to be noticed, whoever shows it; one of them will do.
var noticedBy = map[chaos.Behaviour][]string{
	chaos.Liar:        {"sent back to the agent: the reply was not taken: the program checked the work", "no plan: "},
	chaos.Tamperer:    {"finding: ", "the task's check: outside of what the plan announced"},
	chaos.Staller:     {"timed_out: "},
	chaos.Crasher:     {"crashed: "},
	chaos.Flapper:     {"the task's check: "},
	chaos.Loop:        {"no_reply: it is stuck", "no_reply: it stopped calling tools"},
	chaos.Oscillating: {"question review_blocking", "question verify_failed"},
	chaos.WrongSchema: {"no_reply: its reply was not valid", "sent back to the agent: the reply is not valid"},
	chaos.Limit:       {"limit: "},
	chaos.SlowStream:  {"timed_out: "},
	chaos.Overflow:    {"no_reply: its prompt"},
	chaos.Partial:     {"timed_out: "},
}

// TestEachBehaviourIsFoundOut has each persona misbehave in each form that it can, each time that it is called: it is
// really shown, and noticed by what has to notice it. It is one of the long proofs.
func TestEachBehaviourIsFoundOut(t *testing.T) {
	if os.Getenv("CHAOS_SEEDS") == "" {
		t.Skip("make chaos plays it")
	}
	t.Parallel()
	s := chaosGround(t, "rigor: standard\nretries: 1\n", "")
	for _, c := range chaos.Conducts() {
		for _, who := range c.By {
			for i, form := range c.Forms {
				q := misbehaving(who, dispatchFor(form.Name), c.Name, form.Name)
				t.Run(fmt.Sprintf("%s/%s/%s", c.Name, who, form.Name), func(t *testing.T) {
					t.Parallel()
					r, err := s.Play(t.Context(), acting("", q), 1, fmt.Sprintf("%s-%s-%d", c.Name, who, i))
					if err != nil {
						t.Fatal(err)
					}
					foundOut(t, r, q)
				})
			}
		}
	}
}

// dispatchFor is at which of its dispatches a persona shows a form; 0 is at each.
func dispatchFor(form string) int {
	if form == "breaks earlier work" { // that of the first task
		return 2
	}
	return 0
}

// foundOut holds a run against the misbehaviour that it is about.
func foundOut(t *testing.T, r simulate.Outcome, q cue) {
	t.Helper()
	if len(r.Breaches) > 0 || len(r.Behaviours) != 1 {
		t.Errorf("broken: %q; shown %+v; the run: %s", r.Breaches, r.Behaviours, r.Ended)
	}
	for _, b := range r.Behaviours {
		for _, how := range b.Unnoticed {
			t.Errorf("a %s (%s) in %s was not noticed", b.Name, q.Form, how)
		}
		for _, by := range b.DetectedBy {
			if !slices.ContainsFunc(noticedBy[b.Name], func(want string) bool { return strings.HasPrefix(by, want) }) {
				t.Errorf("a %s (%s) was noticed by %q", b.Name, q.Form, by)
			}
		}
	}
}
