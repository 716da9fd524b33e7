package transition

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"autopilot/autopilot/machine"
)

func TestEachEdgeOfTheTableIsTakenAndNoOther(t *testing.T) {
	for _, from := range machine.Names {
		if handlers[from] == nil {
			t.Errorf("%s has no handler", from)
		}
		for _, row := range machine.Edges {
			for edge := range row {
				s := fresh(machine.Standard, machine.Low)
				s.CurrentState = from
				err := (&move{s: &s}).edge(edge)
				if to, listed := machine.Edges[from][edge]; listed != (err == nil) || listed && to != s.CurrentState {
					t.Errorf("%s %s: the table says %q, Apply goes to %s: %v", from, edge, to, s.CurrentState, err)
				}
			}
		}
	}
}

func TestOneEventTakesOneEdgeAtMost(t *testing.T) {
	s := fresh(machine.Standard, machine.Low)
	s.CurrentState = machine.Review
	m := &move{s: &s}
	if err := m.edge(machine.Reviewed); err != nil {
		t.Fatal(err)
	}
	var illegal *machine.IllegalEventError
	if err := m.edge(machine.NextPhase); !errors.As(err, &illegal) {
		t.Errorf("a second edge gave %v", err)
	}
}

// TestEveryRowIsReached plays all scripts and asks whether they met each row of both tables, each kind of gate and
// each option: a row that no script reaches is either dead or not tested.
func TestEveryRowIsReached(t *testing.T) {
	met := newReached()
	met.light = true
	for _, file := range scriptFiles(t) {
		for _, script := range readScripts(t, file) {
			play(t, met, script.text)
		}
	}
	for _, name := range everyRow() {
		if !met.rows[name] {
			t.Errorf("no script reaches %s", name)
		}
	}
	for _, from := range machine.Names {
		for edge := range machine.Edges[from] {
			if !met.edges[string(from)+" "+string(edge)] && edge != machine.Redo {
				t.Errorf("no script takes %s from %s", edge, from)
			}
		}
	}
	for kind, options := range machine.GateOptions {
		for _, o := range options {
			if o.Effect != machine.EffectStop && !met.effects[string(kind)+" "+o.Effect] {
				t.Errorf("no script answers %s with %s", kind, o.Name)
			}
		}
	}
	for _, effect := range []string{
		"blocked " + machine.EffectRetry, "blocked " + string(machine.Revise), "blocked " + string(machine.VerificationSkipped), "blocked " + string(machine.Overridden),
		"no_output " + machine.EffectRetry, "no_output " + string(machine.PhaseSkipped), "checkpoint " + machine.EffectPass, "checkpoint " + machine.EffectChoose, "checkpoint " + machine.EffectRedoFix,
	} {
		if !met.effects[effect] {
			t.Errorf("no script answers %s", effect)
		}
	}
}

// everyRow lists the rows of Steps, one for each step that a row may lead to.
func everyRow() []string {
	var rows []string
	for state, steps := range machine.Steps {
		for step, events := range steps {
			for event, outcomes := range events {
				for _, to := range outcomes {
					rows = append(rows, rowName(state, step, event, to))
				}
			}
		}
	}
	slices.Sort(rows)
	return rows
}

func TestEveryKindOfGateIsAskedInSomeScript(t *testing.T) {
	var all strings.Builder
	for _, file := range scriptFiles(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	for _, kind := range []machine.GateKind{
		machine.GateSpecChanged, machine.GatePlanWanted, machine.GateApproveSkeleton, machine.GateApprovePlan, machine.GateNoOutput, machine.GateBlocked, machine.GateCheckpoint,
		machine.GateTasksExhausted, machine.GateAlreadyDone, machine.GateLargeChange, machine.GateDirtyOverlap, machine.GateVerifyFailed, machine.GateBaselineRed, machine.GateReviewBlocking, machine.GateFinalBlocking,
		machine.GateEffectUnclear, machine.GateContinue, machine.GatePause,
	} {
		if !strings.Contains(all.String(), "? "+string(kind)+":") {
			t.Errorf("no script opens gate %s", kind)
		}
	}
}
