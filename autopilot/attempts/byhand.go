package attempts

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
func (ats Attempts) handWork(s machine.State) (backend byHand, d personas.Dispatch, ok bool) {
	if s.Gate == nil || s.Gate.Kind != machine.GateBlocked {
		return nil, d, false
	}
	s.Gate = nil
	step := machine.Next(s)
	if is, flying := step.Dispatching(); !is || flying {
		return nil, d, false
	}
	persona := ats.Personas.For(personas.Name(step.Persona), dispatch.PurposeOf(step))
	made, _, err := ats.Backends.For(persona)
	if err != nil {
		return nil, d, false // the dispatch itself will say so
	}
	backend, ok = made.(byHand)
	return backend, personas.Dispatch{Key: dispatch.KeyOf(step), Purpose: dispatch.PurposeOf(step), Persona: persona, SessionDir: ats.Records.Dir()}, ok
}

// WrittenByHand says whether what changes in the tree while the question is open is the work that it waits for.
func (ats Attempts) WrittenByHand(s machine.State) bool {
	_, d, ok := ats.handWork(s)
	return ok && d.Persona.Allows(personas.MayWrite)
}

// HandedIn answers the question once the reply is there. One that is there and wrong is said, if it is to be told.
func (ats Attempts) HandedIn(gate machine.Gate, tell bool) (bool, error) {
	backend, d, ok := ats.handWork(ats.Journal.State())
	if !ok {
		return false, nil
	}
	ready, err := backend.Ready(d)
	var bad *personas.ReplyError
	switch {
	case errors.As(err, &bad):
		if tell {
			ats.Journal.Note("warning", "The reply that was left cannot be taken: "+bad.Error()+". Mend it, and run the same command again.")
		}
		return false, nil
	case err != nil || !ready:
		return false, err
	}
	return true, ats.Journal.Apply(machine.Event{Type: machine.Answered, Answer: &machine.Answer{Gate: gate.ID, Option: "retry", Reason: "the reply is there", By: "human, with the reply file"}})
}
