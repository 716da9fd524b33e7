package attempts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/autopilot/machine"
)

func TestASummaryGoesWithDoneAtAPersonsTurnOnly(t *testing.T) {
	reply := filepath.Join(t.TempDir(), "reply.json")
	turn := machine.Gate{ID: "g1", YourTurn: &machine.YourTurn{Reply: reply}}
	for name, c := range map[string]struct {
		gate machine.Gate
		a    machine.Answer
		want string
	}{
		"another option":  {turn, machine.Answer{Option: "skip", Summary: "Did it."}, "a summary goes only with the answer done"},
		"another gate":    {machine.Gate{ID: "g1"}, machine.Answer{Option: "done", Summary: "Did it."}, "a summary goes only with the answer done"},
		"a blank summary": {turn, machine.Answer{Option: "done", Summary: " "}, "there is no reply yet"},
	} {
		if err := HandIn(c.gate, c.a); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := HandIn(machine.Gate{ID: "g1"}, machine.Answer{Option: "done"}); err != nil {
		t.Errorf("done at another gate: %v", err)
	}
	if _, err := os.Stat(reply); !os.IsNotExist(err) {
		t.Errorf("a reply was written: %v", err)
	}
	done := machine.Answer{Option: "done", Summary: "Did it."}
	if err := HandIn(turn, done); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(reply); err != nil || !strings.Contains(string(text), `"summary": "Did it."`) {
		t.Errorf("the reply is %s, %v", text, err)
	}
	if err := HandIn(turn, machine.Answer{Option: "done"}); err != nil {
		t.Errorf("the reply that was written is not taken: %v", err)
	}
}
