package machine

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/looplab/fsm"
)

// TestTableAndFSMAgree asks the finite state machine about each state and edge.
func TestTableAndFSMAgree(t *testing.T) {
	for _, from := range Names {
		for _, edge := range allEdges {
			machine := newFSM(from)
			err := machine.Event(context.Background(), string(edge))
			var none fsm.NoTransitionError
			taken := err == nil || errors.As(err, &none)

			to, listed := Edges[from][edge]
			if listed != taken || listed && to != Name(machine.Current()) {
				t.Errorf("%s %s: the FSM goes to %s (%t), the table to %q", from, edge, machine.Current(), taken, to)
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
		if Actors[from] == "" {
			t.Errorf("%s has no actor", from)
		}
	}
	if len(Edges) != len(Names) || len(Steps) != len(Names) {
		t.Errorf("the tables have %d and %d states, not %d", len(Edges), len(Steps), len(Names))
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
