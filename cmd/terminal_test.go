package cmd

import (
	"strings"
	"testing"

	"autopilot/autopilot/machine"
)

func TestAnswerThatLacksItsSecondLineIsAskedForAgain(t *testing.T) {
	for name, c := range map[string]struct {
		gate       machine.Gate
		lines, say string
		want       machine.Answer
	}{
		"reason": {
			machine.Gate{ID: "g1", Options: []machine.Option{{Name: "skip", WantsReason: true}, {Name: "stop"}}},
			"skip\n \nskip\nnot now\n", "Nothing is answered: skip wants a reason.",
			machine.Answer{Gate: "g1", Option: "skip", Reason: "not now", By: "human"},
		},
		"phase": {
			machine.Gate{ID: "g2", Kind: machine.GateSpecChanged, Options: []machine.Option{{Name: "redo"}, {Name: "keep"}}},
			"redo\ntwo\nredo\n 2 \n", "Nothing is answered: redo wants the number of a phase.",
			machine.Answer{Gate: "g2", Option: "redo", Phase: 2, By: "human"},
		},
	} {
		var out strings.Builder
		person := &terminal{out: &out, width: func() int { return 0 }, in: strings.NewReader(c.lines)}
		got, err := person.Ask(t.Context(), c.gate)
		if err != nil || got != c.want {
			t.Errorf("%s: answered %+v, %v; want %+v", name, got, err, c.want)
		}
		if strings.Count(out.String(), c.say) != 1 {
			t.Errorf("%s: printed\n%s\nwant once %q", name, out.String(), c.say)
		}
	}
}
