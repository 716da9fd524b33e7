package machine

import "github.com/looplab/fsm"

// newFSM builds a finite state machine of looplab/fsm from the table, at a state: for the picture, and for the test
// that compares it with the table. It never owns a session's state.
func newFSM(at Name) *fsm.FSM {
	var events []fsm.EventDesc
	for _, from := range Names {
		for _, edge := range edgesOf(from) {
			events = append(events, fsm.EventDesc{Name: string(edge), Src: []string{string(from)}, Dst: string(Edges[from][edge])})
		}
	}
	return fsm.NewFSM(string(at), events, nil)
}

// allEdges lists every edge once, in the order in which a run meets them.
var allEdges = []Edge{
	Initialised, PlanFound, PlanNeeded, PlanReady, PhaseSkipped, Approved, Revise, TasksDone, PlanChanged, Verified,
	VerificationSkipped, Fix, Reviewed, Overridden, NextPhase, PhasesDone, Extended, Redo,
}

// edgesOf lists the edges that leave a state, in the order of allEdges.
func edgesOf(from Name) []Edge {
	var edges []Edge
	for _, e := range allEdges {
		if _, ok := Edges[from][e]; ok {
			edges = append(edges, e)
		}
	}
	return edges
}

// Diagram draws the state table as a Mermaid state diagram.
func Diagram() (string, error) {
	return fsm.VisualizeWithType(newFSM(Init), fsm.MermaidStateDiagram)
}

// DiagramAt draws the state table as a Mermaid flow chart that marks where a session stands.
func DiagramAt(at Name) (string, error) {
	return fsm.VisualizeWithType(newFSM(at), fsm.MermaidFlowChart)
}
