package simulate

import (
	"strings"
	"testing"
)

// unlucky is a simulation of two phases, of which one run ended in the first and missed something.
var unlucky = summary{
	Plans: []planned{{Phase: "1", Tasks: 2}, {Phase: "2a", Tasks: 2}}, Held: true,
	Runs: []Outcome{
		{Profile: "tamperer", Seed: 7, Phase: 1, ExitCode: 3, Ended: "waits at tasks_exhausted after 4 dispatches", Behaviours: []Behaviour{{
			Name: "tamperer", Shown: 5, Noticed: 4, After: 2, DetectedBy: []string{"finding: the agent deleted a file of yours; it was restored"},
			Unnoticed: []string{"weakens the check, executor phase 1 task-001 attempt 1"},
		}}},
		{Profile: "honest", Seed: 7, Phase: 2, Ended: "done after 9 dispatches"},
	},
}

// TestASimulationFitsTheTerminal has no line that is wider than it, and no table where that would be.
func TestASimulationFitsTheTerminal(t *testing.T) {
	t.Parallel()
	for _, width := range []int{40, 60, 80} {
		text := unlucky.text(width)
		if widest(text) > width || strings.Contains(text, "BEHAVIOUR") {
			t.Errorf("in %d columns:\n%s", width, text)
		}
	}
	for _, width := range []int{0, 200} {
		if text := unlucky.text(width); !strings.HasPrefix(text, "BEHAVIOUR  NOTICED") {
			t.Errorf("in %d columns:\n%s", width, text)
		}
	}
	if got, want := unlucky.text(60), "tamperer: 4 of 5 noticed, after 2; exit code 3, waits at\n    tasks_exhausted after 4 dispatches; by: finding: the\n"; !strings.HasPrefix(got, want) {
		t.Errorf("in 60 columns it begins\n%s", got)
	}
}

// TestASimulationSaysWhatWentUnnoticedAndUnplayed also where every promise held.
func TestASimulationSaysWhatWentUnnoticedAndUnplayed(t *testing.T) {
	t.Parallel()
	text := unlucky.text(0)
	for _, want := range []string{
		"Not noticed: tamperer (weakens the check, executor phase 1 task-001 attempt 1), in the run tamperer with seed 7\n",
		"1 of 2 runs ended before phase 2a, the last",
		"was lost, also where a misbehaviour was not noticed (1).\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

// TestNumbersThatSaySomethingStay holds what is blanked against what is not.
func TestNumbersThatSaySomethingStay(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"crashed: the agent ended with exit code 139":                 "crashed: the agent ended with exit code 139",
		"limit: 429 Rate limit reached. Try again in 20s.":            "limit: 429 Rate limit reached",
		"its prompt, of about 15321 tokens, is more":                  "its prompt, of about … tokens, is more",
		"the maximum is 8192 tokens":                                  "the maximum is 8192 tokens",
		"it was at 0c67905 and is at 49bd9db41f":                      "it was at … and is at …",
		"expected a Markdown file such as docs/plans/2026-11-24-a.md": "expected a Markdown file such as docs/plans/…-a.md",
		"the check of task-001 failed":                                "the check of task-001 failed",
	} {
		if got := inShort(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
