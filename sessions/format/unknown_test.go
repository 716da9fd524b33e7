package format

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/machine"
)

func TestUnknownKeysOfAPhaseFollowItsNumber(t *testing.T) {
	unknown := UnknownIn([]byte(`{"phases":[{"number":"1","a":1},{"number":"2","b":2}]}`), StateType)
	file, err := Encode(machine.State{Phases: []machine.Phase{{Number: "2"}, {Number: "1"}}}, unknown)
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Phases []struct{ A, B int } }
	if err := json.Unmarshal(file, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]struct{ A, B int }{{B: 2}, {A: 1}}, got.Phases); diff != "" {
		t.Error(diff)
	}
	if !Intact(file) || Intact(append(file[:len(file)-2], "\n }\n"...)) {
		t.Error("the checksum does not tell what was written from what was changed")
	}
}

func TestWhatStateKnowsIsNotKept(t *testing.T) {
	noon := time.Date(2026, 7, 12, 12, 0, 0, 0, time.UTC)
	whole, err := json.Marshal(machine.State{
		Notes: []string{"a"}, Gate: &machine.Gate{ID: "g1", AskedAt: noon}, Baseline: &machine.Baseline{},
		Phases: []machine.Phase{{Number: "1", StartedAt: &noon, Dispatches: map[string]int{"planner": 1}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, raw := range map[string][]byte{"a state": whole, "a key in another case": []byte(`{"CURRENTSTATE":"PLAN"}`), "a list": []byte(`[1]`)} {
		if unknown := UnknownIn(raw, StateType); unknown != nil {
			t.Errorf("%s: kept %+v", name, unknown)
		}
	}
}
