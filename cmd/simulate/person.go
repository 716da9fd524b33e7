package simulate

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"

	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
)

const (
	// maxAnswers is how many questions the person of a simulation answers, beside those that only ask to go on.
	maxAnswers = 25
	// leaves is how often, of a hundred, the person of a mix leaves a question open.
	leaves = 10
)

// actor answers the questions of a simulated run. A careful one, as in every run about one behaviour, has what is wrong fixed
// as long as that is offered, and then stops; another answers as the seed has it.
type actor struct {
	stage   *stage
	careful bool
	mu      sync.Mutex // a question that was answered elsewhere may still be asked
	chance  *rand.Rand
	answers int
}

// easy are the questions that ask for nothing but to go on, with the answer.
var easy = map[machine.GateKind]string{
	machine.GateApproveSkeleton: "yes", machine.GateApprovePlan: "yes", machine.GateContinue: "yes", machine.GatePause: "continue",
	machine.GatePlanWanted: "done", machine.GateSpecChanged: "keep",
}

// Ask answers, or leaves the question open.
func (a *actor) Ask(_ context.Context, gate machine.Gate) (machine.Answer, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if gate.Kind == machine.GatePlanWanted {
		if err := a.writePlan(); err != nil {
			return machine.Answer{}, err
		}
	}
	a.answers++
	option := a.option(gate)
	if option == "" || a.answers > maxAnswers && gate.Kind != machine.GateContinue || a.answers > 10*maxAnswers {
		return machine.Answer{}, halt.ErrStop
	}
	return machine.Answer{Gate: gate.ID, Option: option, Reason: "The simulation chose it.", By: "human"}, nil
}

// Confirm says no: nothing leaves the clone.
func (a *actor) Confirm(context.Context, string) (bool, error) { return false, nil }

// option is what the person chooses; "" leaves the question open.
func (a *actor) option(gate machine.Gate) string {
	if gate.Kind == machine.GateCheckpoint {
		return gate.Options[0].Name
	}
	if option, known := easy[gate.Kind]; known {
		return option
	}
	can := slices.DeleteFunc(gate.Names(), func(name string) bool {
		return name == machine.Stop || gate.IsRefused(name) || a.careful && name != "fix"
	})
	if !a.careful && a.chance.IntN(100) < leaves || len(can) == 0 {
		return ""
	}
	if a.careful {
		return can[0]
	}
	return can[a.chance.IntN(len(can))]
}

// writePlan makes the plan that a person owes at high complexity.
func (a *actor) writePlan() error {
	p := a.stage.plans[a.stage.state().CurrentPhase]
	return app.WriteFile(inTree(a.stage.tree, p.file("docs/plans")), []byte(p.text(a.stage.rel, a.answers+1)))
}
