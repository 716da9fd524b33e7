package transition

import (
	"slices"
	"strings"
	"testing"

	"autopilot/autopilot/machine"
)

// TestAPersonsTurnIsAskedForByWhatIsWanted: with the turn in the event the question says what is wanted and takes done; without
// one, as older programs recorded it, it is the question of old.
func TestAPersonsTurnIsAskedForByWhatIsWanted(t *testing.T) {
	for place, want := range map[string]struct{ now, old, options string }{
		"PLAN skeleton_reply":       {"Your turn: outline the plan of phase 1 (", "The planner cannot go on: it was so", "done retry skip stop"},
		"PLAN plan_reply":           {"Your turn: write the plan of phase 1 (", "The planner cannot go on: it was so", "done retry skip stop"},
		"EXECUTE reply":             {"Your turn: do task-001 (", "Task ", "done retry revise stop"},
		"VERIFY verifier_reply":     {"Your turn: verify phase 1 (", "The verifier cannot go on: it was so", "done retry skip stop"},
		"REVIEW review_reply":       {"Your turn: review phase 1 (", "The reviewer cannot go on: it was so", "done retry skip stop"},
		"FINAL_REVIEW review_reply": {"Your turn: do the final review", "The reviewer cannot go on: it was so", "done retry skip stop"},
	} {
		t.Run(place, func(t *testing.T) {
			waiting := func(turn *machine.YourTurn) *world {
				w := newWorld(t, newReached(), fresh(machine.Thorough, machine.Low))
				w.until(words(strings.Fields(place)))
				end := dispatchEnded(w, words{"waiting"})
				end.Ended.YourTurn = turn
				w.met.light = true // what waits is no dispatch: their number falls
				if err := w.report(end); err != nil {
					t.Fatal(err)
				}
				w.met.light = false
				return w
			}
			old := waiting(nil).s.Gate
			if !strings.HasPrefix(old.Question, want.old) || old.Called() != "blocked" || old.Names()[0] != "retry" || old.Context != nil {
				t.Errorf("without a turn: %+v", old)
			}
			w := waiting(&machine.YourTurn{Prompt: "p.md", Words: 7, Reply: "r.json", Problem: "it is empty"})
			g := w.s.Gate
			if !strings.HasPrefix(g.Question, want.now) || strings.Join(g.Names(), " ") != want.options || g.Kind != machine.GateBlocked {
				t.Errorf("%q with %v", g.Question, g.Names())
			}
			about := strings.Join(g.Context, "\n")
			for _, part := range []string{"p.md (7 words)", "r.json", "it is empty"} {
				if !strings.Contains(about, part) {
					t.Errorf("%q is not in %s", part, about)
				}
			}
			if judges := strings.Contains(about, "found nothing wrong"); judges != slices.Contains([]string{"VERIFY", "REVIEW", "FINAL_REVIEW"}, string(g.State)) {
				t.Errorf("what a summary alone means: %s", about)
			}
			if err := w.report(machine.Event{Type: machine.Answered, Answer: &machine.Answer{Gate: g.ID, Option: "done", By: "human", Summary: "Did it."}}); err != nil {
				t.Fatal(err)
			}
			if d := w.s.Decisions[len(w.s.Decisions)-1]; d.Decision != "your_turn: done" || w.s.Gate != nil {
				t.Errorf("decided %+v", d)
			}
			if is, flying := machine.Next(w.s).Dispatching(); !is || flying {
				t.Errorf("next comes %+v", machine.Next(w.s))
			}
		})
	}
}
