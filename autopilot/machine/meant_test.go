package machine

import "testing"

func TestAWordMeansOneOption(t *testing.T) {
	plan := Gate{Options: GateOptions[GateApprovePlan]}
	failed := Gate{Options: GateOptions[GateTasksExhausted]}
	decision := Gate{Options: CheckpointOptions(CheckpointDecision, "SQL", "a file"), Free: true}
	for _, tc := range []struct {
		gate       Gate
		word, want string
	}{
		{plan, "yes", "yes"},
		{plan, "y", "yes"},
		{plan, "Y", "yes"},
		{plan, "1", "yes"},
		{plan, "approve", "yes"},
		{plan, "a", "yes"},
		{plan, "2", "revise"},
		{plan, "r", "revise"},
		{plan, "4", "stop"},
		{plan, "n", "stop"},
		{plan, "no", "stop"},
		{plan, "s", ""},
		{plan, "5", ""},
		{plan, "0", ""},
		{plan, "", ""},
		{plan, "yess", ""}, // s: skip or stop
		{failed, "recheck", "continue"},
		{failed, "c", "continue"},
		{failed, "re", ""},
		{failed, "n", ""},
		{decision, "1", "1"},
		{decision, "2", "2"},
		{decision, "3", ""},
		{decision, "o", "other"},
		{decision, "s", "stop"},
	} {
		if got, ok := tc.gate.Meant(tc.word); got.Name != tc.want || ok != (tc.want != "") {
			t.Errorf("%q means %q, want %q", tc.word, got.Name, tc.want)
		}
	}
}

// TestScreenWordsAreNotOtherOptions: else a word would mean another option than the one that shows it.
func TestScreenWordsAreNotOtherOptions(t *testing.T) {
	for _, offer := range Offers() {
		g := Gate{Options: offer.Options}
		for _, o := range offer.Options {
			if got, _ := g.Meant(o.Word()); got.Name != o.Name {
				t.Errorf("%s: %s means %q, and %s shows it", offer.Kind, o.Word(), got.Name, o.Name)
			}
		}
	}
}
