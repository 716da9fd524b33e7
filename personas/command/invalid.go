package command

import (
	"strings"

	"autopilot/personas"
)

// maxPrevious bounds how much of an invalid reply goes back to the program, in bytes.
const maxPrevious = 64 << 10

// invalid is a reply that cannot be taken, or not yet, and what came of it.
type invalid struct {
	problems []string
	text     string
	work     string          // why the work does not pass
	reply    *personas.Reply // which is taken if no other comes; nil: it cannot be
}

func newInvalid(err *personas.ReplyError, text string) *invalid {
	return &invalid{problems: err.Problems, text: strings.ToValidUTF8(text[:min(len(text), maxPrevious)], "\uFFFD")}
}

// partly is what a valid reply has that nobody reads, if anything.
func partly(reply *personas.Reply, text string) *invalid {
	unknown := reply.UnknownFields()
	if len(unknown) == 0 {
		return nil
	}
	bad := newInvalid(&personas.ReplyError{Problems: unknown}, text)
	bad.reply = reply
	return bad
}
