package attempts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
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
	t, inTask := s.Task(s.Gate.Task)
	s.Gate = nil
	step := machine.Next(s)
	if inTask && t.Lane != nil {
		step = machine.InLane(s, t)
	}
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
			ats.Journal.Note("warning", "The reply that was left cannot be taken: "+bad.Error()+". Fix it, and run the same command again.")
		}
		return false, nil
	case err != nil || !ready:
		return false, err
	}
	answer := machine.Answer{Gate: gate.ID, Option: machine.HandIn, By: "human, with the reply file"}
	if gate.YourTurn == nil { // an older program asked
		answer.Option, answer.Reason = "retry", "the reply is there"
	}
	return true, ats.Journal.Apply(machine.Event{Type: machine.Answered, Answer: &answer})
}

// HandIn makes the reply of a person's summary, if there is one, and refuses the answer done without a reply that can be taken.
// Another answer is none of its business, but for a summary, which goes with no other.
func HandIn(gate machine.Gate, a machine.Answer) error {
	turn, summary := gate.YourTurn, strings.TrimSpace(a.Summary)
	refuse := func(format string, args ...any) error {
		return &machine.AnswerError{Gate: gate.ID, Reason: fmt.Sprintf(format, args...)}
	}
	switch hands := turn.HandsIn(a.Option); {
	case !hands && summary != "":
		return refuse("a summary goes only with the answer done where it is your turn to do the work (backend manual)")
	case !hands:
		return nil
	}
	_, err := os.Lstat(turn.Reply)
	switch {
	case summary == "" && errors.Is(err, fs.ErrNotExist):
		return refuse("there is no reply yet. Say what you did with --summary \"…\", or write a reply to %s, such as {\"v\": 1, \"status\": \"done\", \"summary\": \"…\"}", turn.Reply)
	case summary != "" && err == nil:
		return refuse("a reply is there already: %s. Answer done without --summary to hand it in, or remove it", turn.Reply)
	case summary != "":
		return plainfile.WriteJSON(turn.Reply, personas.Reply{V: personas.ReplyVersion, Status: personas.StatusDone, Summary: summary})
	}
	root, err := os.OpenRoot(filepath.Dir(turn.Reply))
	if err != nil {
		return err
	}
	defer root.Close()
	data, err := personas.ReadReply(root, filepath.Base(turn.Reply))
	if err == nil {
		_, err = personas.ParseReply(data)
	}
	if err != nil {
		return refuse("the reply in %s can't be used: %v. Fix it, then answer again", turn.Reply, err)
	}
	return nil
}
