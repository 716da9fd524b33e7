package console

import (
	"errors"
	"strconv"
	"strings"

	"autopilot/autopilot/machine"
)

// FollowUp is what a person is asked besides the option that they chose.
type FollowUp struct {
	Question string
	Take     func(a *machine.Answer, text string) error // puts what they said into the answer; the error says what is missing
}

// FollowUpOf is what an option of a gate asks besides; false: nothing.
func FollowUpOf(g machine.Gate, o machine.Option) (FollowUp, bool) {
	switch {
	case o.WantsReason:
		return FollowUp{"Why, or what should change?", func(a *machine.Answer, text string) error {
			if a.Reason = strings.TrimSpace(text); a.Reason == "" {
				return errors.New(o.Word() + " needs a reason")
			}
			return nil
		}}, true
	case o.TakesReason:
		return FollowUp{"A hint for the agent? (empty: none)", func(a *machine.Answer, text string) error {
			a.Reason = strings.TrimSpace(text)
			return nil
		}}, true
	case g.YourTurn.HandsIn(o.Name):
		return FollowUp{"What did you do? (empty: it is in the reply file)", func(a *machine.Answer, text string) error {
			a.Summary = strings.TrimSpace(text)
			return nil
		}}, true
	case g.Kind == machine.GateSpecChanged && o.Name == "redo":
		return FollowUp{"Which phase, counted from 1?", func(a *machine.Answer, text string) (err error) {
			if a.Phase, err = strconv.Atoi(strings.TrimSpace(text)); err != nil {
				return errors.New(o.Word() + " needs the number of a phase")
			}
			return nil
		}}, true
	}
	return FollowUp{}, false
}
