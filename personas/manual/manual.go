// Package manual is the backend for people who work in an editor of their own:
// the prompt is written to a file, and the reply is taken from another.
//
// A dispatch never waits itself. Without a reply it ends as one that waits for
// a person: it is not counted, and the question is left to the gate; the
// dispatch after that takes the reply. Both files lie in a folder of the session's inbox that is named
// after the work, so that they keep their place from dispatch to dispatch.
package manual

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"autopilot/personas"
)

const (
	promptName = "prompt.md"
	replyName  = "reply.json"
	// takenName is a person's reply in the attempt's folder, once it was taken.
	takenName = "handed-in.json"
)

// Backend has a person play a persona.
type Backend struct{}

// New makes a Backend.
func New() Backend { return Backend{} }

// Dispatch takes the reply that a person left, or writes the prompt and says
// where the reply goes. A diagnosis and a blind reading are helps that a person
// is not asked for.
func (b Backend) Dispatch(_ context.Context, d personas.Dispatch) (personas.Outcome, error) {
	if d.Purpose == personas.Diagnosis || d.Purpose == personas.Blind {
		return personas.Outcome{Kind: personas.NoReply, Detail: "a person is not asked for it"}, nil
	}
	p := placeOf(d)
	reply, data, err := p.read(d)
	var bad *personas.ReplyError
	switch {
	case err == nil:
		return personas.Outcome{Kind: personas.GotReply, Reply: &reply}, p.take(d, data)
	case errors.Is(err, fs.ErrNotExist):
		return p.wait(d, nil, "this is for a person to do (backend manual). The prompt is in %s. Write the reply to %s; the run goes on once it is there.", p.prompt(), p.reply())
	case errors.As(err, &bad):
		return p.wait(d, bad, "the reply in %s cannot be taken: %v. Fix it; the run goes on once it can be taken. The prompt is in %s.", p.reply(), bad, p.prompt())
	}
	return personas.Outcome{}, err
}

// Ready says whether the reply to the next dispatch is there and whole. The
// error, a *personas.ReplyError, says what is wrong with one that is there.
func (b Backend) Ready(d personas.Dispatch) (bool, error) {
	_, _, err := placeOf(d).read(d)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// wait leaves the prompt for a person to answer; bad is what is wrong with a reply that is there.
func (p place) wait(d personas.Dispatch, bad *personas.ReplyError, format string, args ...any) (personas.Outcome, error) {
	prompt, err := p.offer(d)
	if err != nil {
		return personas.Outcome{}, fmt.Errorf("writing the prompt for a person: %w", err)
	}
	turn := &personas.YourTurn{Dir: d.Dir, Prompt: p.prompt(), Words: len(strings.Fields(prompt)), Reply: p.reply()}
	if bad != nil {
		turn.Problem = bad.Error()
	}
	return personas.Outcome{Kind: personas.Waiting, Detail: fmt.Sprintf(format, args...), YourTurn: turn}, nil
}

// read gives the reply that waits: one that was taken before but not recorded,
// else what lies in the place. The error is fs.ErrNotExist without any.
func (p place) read(d personas.Dispatch) (personas.Reply, []byte, error) {
	dir, name := p.dir, replyName
	if cutOff(d.AttemptDir) {
		dir, name = d.AttemptDir, takenName
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return personas.Reply{}, nil, err // fs.ErrNotExist where the prompt was not written yet
	}
	defer root.Close()
	data, err := personas.ReadReply(root, name)
	if err != nil {
		return personas.Reply{}, nil, err
	}
	reply, err := personas.ParseReply(data)
	if err == nil {
		err = d.Persona.CheckOwed(reply)
	}
	return reply, data, err
}

// cutOff says whether the attempt took a reply and ended before the engine
// recorded it, as reply.json beside it.
func cutOff(attempt string) bool {
	if attempt == "" {
		return false
	}
	taken, err := os.Stat(filepath.Join(attempt, takenName))
	if err != nil {
		return false
	}
	recorded, err := os.Stat(filepath.Join(attempt, replyName))
	return err != nil || recorded.ModTime().Before(taken.ModTime())
}
