package flow

import (
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// The search attributes of a session, by which lists are asked for. They are never encrypted.
var (
	SlugAttribute  = temporal.NewSearchAttributeKeyKeyword("AutopilotSession") // its slug, or a hash of that
	StateAttribute = temporal.NewSearchAttributeKeyKeyword("AutopilotState")   // such as EXECUTE
	GateAttribute  = temporal.NewSearchAttributeKeyKeyword("AutopilotGate")    // the kind of the open question; "": none is
)

// show brings the search attributes up to date, where the server knows them.
func (w *session) show(ctx workflow.Context) error {
	gate := ""
	if w.s.Gate != nil {
		gate = string(w.s.Gate.Kind)
	}
	shown := [2]string{string(w.s.CurrentState), gate}
	if !w.job.Attributes || w.shown == shown {
		return nil
	}
	w.shown = shown
	return workflow.UpsertTypedSearchAttributes(ctx, StateAttribute.ValueSet(shown[0]), GateAttribute.ValueSet(gate))
}
