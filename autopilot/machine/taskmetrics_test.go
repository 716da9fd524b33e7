package machine

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestTasksSayHowTheyWent: each task in a report, with what it missed by itself; what nobody recorded is no zero.
func TestTasksSayHowTheyWent(t *testing.T) {
	calm := Metrics{Ended: 1, Turns: 4, ToolCalls: 6, ToolFailures: 1, Checked: 1, FirstPass: 1, Fill: 39, Window: 100, ToldTools: 1, ToldAll: 1}
	for name, c := range map[string]struct {
		how    Metrics
		cells  string
		missed string
	}{
		"by an older program":          {Metrics{}, "not recorded,-,-,-", ""},
		"a program that tells nothing": {Metrics{Ended: 1, Turns: 1}, "-,-,-,-", ""},
		"healthy":                      {calm, "4,39 % (healthy),passed,6 (1 failed)", ""},
		"at the warning":               {calm.Plus(Metrics{Ended: 1, Turns: 5, Checked: 1, Fill: 40, Window: 100}), "9,40 % (warning),1 of 2 passed,6 (1 failed)", ""},
		"too many turns":               {calm.Plus(Metrics{Turns: 6}), "10,39 % (healthy),passed,6 (1 failed)", "task-001 (10 turns, target below 10)"},
		"in danger":                    {Metrics{Ended: 1, Turns: 12, Fill: 70, Window: 100, ToldAll: 1}, "12,70 % (danger),-,-", "task-001 (12 turns, target below 10; context 70 %, target below 70 %)"},
	} {
		row := MetricsOf(1, []Task{{ID: "task-001", Metrics: c.how}})[0]
		if cells := row.Cells(); strings.Join(cells[:], ",") != c.cells || row.Missed() != c.missed {
			t.Errorf("%s: %q, missed %q", name, cells, row.Missed())
		}
		if data, err := json.Marshal(row); err != nil || strings.Contains(string(data), `"metrics":null`) != (c.how.Ended == 0) {
			t.Errorf("%s: %s, %v", name, data, err)
		}
	}
}

// TestDispatchesOfTasksAddUp: turns a task are those of its dispatches alone; tools add up by name, circles by the worst.
func TestDispatchesOfTasksAddUp(t *testing.T) {
	planner := Metrics{Ended: 1, Turns: 50, Seconds: 5}
	first := Metrics{Ended: 1, Turns: 6, Seconds: 3, ToldAll: 1, Advised: 1, Repeats: 3, Edits: 2, Tools: []Tool{{"search", 2, 1}, {"edit_file", 1, 0}}}
	again := Metrics{Ended: 1, Turns: 2, Seconds: 1, ToldAll: 1, Repeats: 1, Edits: 5, Tools: []Tool{{"search", 1, 0}}}
	sum := planner.Plus(first.ForTask(true)).Plus(again.ForTask(false)).Plus(again.ForTask(true))
	shown := sum.Shown(Usage{})
	if *shown.TurnsPerTask != 5 || *shown.SecondsPerTask != 2.5 || sum.Turns != 60 || sum.Tasks != 2 {
		t.Errorf("%+v", sum)
	}
	if want := []Tool{{"edit_file", 1, 0}, {"search", 4, 1}}; !slices.Equal(sum.Tools, want) || sum.ToolsText() != "edit_file 1, search 4 (1 failed)" {
		t.Errorf("%+v", sum.Tools)
	}
	if len(first.Tools) != 2 || first.Tools[0].Calls != 2 {
		t.Errorf("what was added up changed: %+v", first.Tools)
	}
	if text := shown.String(); !strings.Contains(text, ", 5.0 a task (target below 10), 2 s a task, work went in circles 1 time (one call up to 3 times, one file edited up to 5 times)") {
		t.Errorf("it says %q", text)
	}
	if data, err := json.Marshal(again.Counts()); err != nil || !strings.Contains(string(data), `"advised":0,"edits":5`) || !strings.Contains(string(data), `"repeats":1`) {
		t.Errorf("%s, %v", data, err)
	}
}
