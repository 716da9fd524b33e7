package journal

import (
	"testing"
	"time"

	"autopilot/autopilot/machine"
)

// shared is a store that another machine writes to as well: what it recorded is only seen when an event is refused as late.
type shared struct {
	desk
	others []machine.Event
}

func (s *shared) Apply(e machine.Event) (machine.State, error) {
	if len(s.others) == 0 {
		return s.desk.Apply(e)
	}
	late := &machine.StaleEventError{Event: s.state.Revision + 1}
	for _, other := range s.others {
		if _, err := s.desk.Apply(other); err != nil {
			return s.state, err
		}
	}
	s.others = nil
	late.State = s.state.Revision
	return s.state, late
}

func TestAnEventIsMadeAgainWhereAnotherMachineWasFaster(t *testing.T) {
	s := &shared{others: []machine.Event{{Type: machine.Noted, Detail: "one"}, {Type: machine.Noted, Detail: "two"}}}
	s.state = machine.State{
		SessionID: "s", CurrentState: machine.Init, Step: machine.StepBranch, SchemaVersion: machine.SchemaVersion, RigorLevel: machine.Standard,
		Phases: []machine.Phase{{Number: "1", Name: "A"}}, Revision: 4,
	}
	j := New(s, s, s, nil, time.Now)
	var keys []string
	err := j.ApplyWith(func(key string) (machine.Event, error) {
		keys = append(keys, key)
		return machine.Event{Type: machine.Noted, Detail: key}, nil
	})
	if err != nil || len(keys) != 2 || keys[0] != "s/5" || keys[1] != "s/7" || s.state.Revision != 7 {
		t.Errorf("keys %q, revision %d: %v", keys, s.state.Revision, err)
	}
}
