package machine

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/looplab/fsm"
)

// TestTableAndFSMAgree asks the finite state machine and Apply's own look at the table about each state and edge.
func TestTableAndFSMAgree(t *testing.T) {
	for _, from := range Names {
		for _, edge := range allEdges {
			machine := newFSM(from)
			err := machine.Event(context.Background(), string(edge))
			var none fsm.NoTransitionError
			taken := err == nil || errors.As(err, &none)

			s := fresh(Standard, Low)
			s.CurrentState = from
			m := &move{s: &s}
			if err := m.edge(edge); (err == nil) != taken {
				t.Errorf("%s %s: the FSM says %t, Apply says %v", from, edge, taken, err)
			}
			if s.CurrentState != Name(machine.Current()) {
				t.Errorf("%s %s: the FSM goes to %s, Apply to %s", from, edge, machine.Current(), s.CurrentState)
			}
		}
	}
}

func TestEveryEdgeIsListedOnceAndLeadsToAStateWithSteps(t *testing.T) {
	listed := map[Edge]int{}
	for _, e := range allEdges {
		listed[e]++
	}
	for _, from := range Names {
		for edge, to := range Edges[from] {
			if listed[edge] != 1 {
				t.Errorf("edge %s is listed %d times", edge, listed[edge])
			}
			if len(Steps[to]) == 0 {
				t.Errorf("%s has no steps", to)
			}
		}
		if Actors[from] == "" || handlers[from] == nil {
			t.Errorf("%s has no actor or no handler", from)
		}
	}
	if len(Edges) != len(Names) || len(Steps) != len(Names) {
		t.Errorf("the tables have %d and %d states, not %d", len(Edges), len(Steps), len(Names))
	}
}

func TestOneEventTakesOneEdgeAtMost(t *testing.T) {
	s := fresh(Standard, Low)
	s.CurrentState = Review
	m := &move{s: &s}
	if err := m.edge(Reviewed); err != nil {
		t.Fatal(err)
	}
	var illegal *IllegalEventError
	if err := m.edge(NextPhase); !errors.As(err, &illegal) {
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
	for _, from := range Names {
		for _, edge := range edgesOf(from) {
			if !met.edges[string(from)+" "+string(edge)] && edge != Redo {
				t.Errorf("no script takes %s from %s", edge, from)
			}
		}
	}
	for kind, options := range gateOptions {
		for _, o := range options {
			if o.Effect != effectStop && !met.effects[string(kind)+" "+o.Effect] {
				t.Errorf("no script answers %s with %s", kind, o.Name)
			}
		}
	}
	for _, effect := range []string{
		"blocked " + effectRetry, "blocked " + string(Revise), "blocked " + string(VerificationSkipped), "blocked " + string(Overridden),
		"no_output " + effectRetry, "no_output " + string(PhaseSkipped), "checkpoint " + effectPass, "checkpoint " + effectChoose, "checkpoint " + effectRedoFix,
	} {
		if !met.effects[effect] {
			t.Errorf("no script answers %s", effect)
		}
	}
}

// everyRow lists the rows of Steps, one for each step that a row may lead to.
func everyRow() []string {
	var rows []string
	for state, steps := range Steps {
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
	for _, kind := range []GateKind{
		GateSpecChanged, GatePlanWanted, GateApproveSkeleton, GateApprovePlan, GateNoOutput, GateBlocked, GateCheckpoint,
		GateTasksExhausted, GateDirtyOverlap, GateVerifyFailed, GateBaselineRed, GateReviewBlocking, GateFinalBlocking,
		GateEffectUnclear, GateContinue, GatePause,
	} {
		if !strings.Contains(all.String(), "? "+string(kind)+":") {
			t.Errorf("no script opens gate %s", kind)
		}
	}
}

func TestDiagramShowsEveryEdgeAndMarksThePlace(t *testing.T) {
	picture, err := Diagram()
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range Names {
		for edge, to := range Edges[from] {
			if line := string(from) + " --> " + string(to) + ": " + string(edge); !strings.Contains(picture, line) {
				t.Errorf("the picture lacks %q", line)
			}
		}
	}
	if !strings.Contains(picture, "[*] --> INIT") {
		t.Error("the picture does not begin at INIT")
	}
	execute, err := DiagramAt(Execute)
	if err != nil {
		t.Fatal(err)
	}
	if review, _ := DiagramAt(Review); execute == review {
		t.Error("the picture does not show where the session stands")
	}
}
