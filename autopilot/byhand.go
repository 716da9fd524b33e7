package autopilot

import (
	"errors"

	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// byHand is a backend whose dispatches a person does while the program waits at a question. Ready says whether the
// reply is there and whole; a *personas.ReplyError is what is wrong with one that is there.
type byHand interface {
	Ready(d personas.Dispatch) (bool, error)
}

// handWork finds the dispatch that an open question leaves to a person.
func (e *Engine) handWork(s machine.State) (backend byHand, d personas.Dispatch, ok bool) {
	if s.Gate == nil || s.Gate.Kind != machine.GateBlocked {
		return nil, d, false
	}
	s.Gate = nil
	step := machine.Next(s)
	if is, flying := step.Dispatching(); !is || flying {
		return nil, d, false
	}
	persona := e.Personas.For(personas.Name(step.Persona), dispatch.PurposeOf(step))
	made, _, err := e.Backends.For(persona)
	if err != nil {
		return nil, d, false // the dispatch itself will say so
	}
	backend, ok = made.(byHand)
	return backend, personas.Dispatch{Key: dispatch.KeyOf(step), Purpose: dispatch.PurposeOf(step), Persona: persona, SessionDir: e.Records.Dir()}, ok
}

// writtenByHand says whether what changes in the tree while the question is open is the work that it waits for.
func (e *Engine) writtenByHand(s machine.State) bool {
	_, d, ok := e.handWork(s)
	return ok && d.Persona.Allows(personas.MayWrite)
}

// handedIn answers the question once the reply is there. One that is there and wrong is said, if it is to be told.
func (e *Engine) handedIn(gate machine.Gate, tell bool) (bool, error) {
	backend, d, ok := e.handWork(e.Journal.State())
	if !ok {
		return false, nil
	}
	ready, err := backend.Ready(d)
	var bad *personas.ReplyError
	switch {
	case errors.As(err, &bad):
		if tell {
			e.Journal.Note("warning", "The reply that was left cannot be taken: "+bad.Error()+". Mend it, and run the same command again.")
		}
		return false, nil
	case err != nil || !ready:
		return false, err
	}
	return true, e.Journal.Apply(answered(gate, "retry", "the reply is there", "human, with the reply file"))
}
