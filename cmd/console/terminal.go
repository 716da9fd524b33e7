package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"

	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
)

// Nobody is the human of a run without a terminal.
type Nobody struct{}

// Ask says that nobody is there.
func (Nobody) Ask(context.Context, machine.Gate) (machine.Answer, error) {
	return machine.Answer{}, halt.ErrNobody
}

// Confirm takes nobody for a no.
func (Nobody) Confirm(context.Context, string) (bool, error) { return false, nil }

// Terminal asks a person: the question, numbered options, a line in answer.
type Terminal struct {
	Question func(machine.Gate) string // a question with its options, as text; nil: the questions are those of Confirm alone

	out    io.Writer
	typed  *typed
	open   *Prompt
	asking sync.Mutex // a question that was called off may not have left yet when the next one comes
}

// Prompt knows whether the line of a question stands open on the terminal: what is printed meanwhile begins below it.
type Prompt struct{ open atomic.Bool }

// End ends the line, where it is open.
func (p *Prompt) End(out io.Writer) {
	if p.open.Swap(false) {
		fmt.Fprintln(out)
	}
}

// NewTerminal asks the person at the host's terminal; open knows whether a question waits for its line there.
func NewTerminal(h *Host, open *Prompt) *Terminal {
	return &Terminal{typed: newTyped(h.In, h.Forget), out: h.Err, open: open}
}

// Ask shows the gate and reads until the answer is one of its options. What was typed before answers nothing; what is
// typed below the question counts, be it ahead of a further prompt.
func (t *Terminal) Ask(ctx context.Context, g machine.Gate) (machine.Answer, error) {
	t.asking.Lock()
	defer t.asking.Unlock()
	if err := t.typed.afresh(); err != nil {
		return machine.Answer{}, err
	}
	fmt.Fprint(t.out, "\n"+t.Question(g))
	for {
		line, err := t.line(ctx, "Your answer: ")
		if err != nil {
			return machine.Answer{}, err
		}
		o, ok := g.Meant(line)
		if gone := strings.ToLower(strings.TrimSpace(line)); !ok && g.IsRefused(gone) {
			return machine.Answer{Gate: g.ID, Option: gone, By: "human"}, nil // the engine says why, and records the wish
		}
		if !ok {
			fmt.Fprintf(t.out, "Please answer with one of: %s\n", strings.Join(g.Words(), ", "))
			continue
		}
		if o.Name == machine.Stop {
			return machine.Answer{}, halt.ErrStop
		}
		answer := machine.Answer{Gate: g.ID, Option: o.Name, By: "human"}
		if more, asks := FollowUpOf(g, o); asks {
			said, err := t.line(ctx, more.Question+" ")
			if err != nil {
				return answer, err
			}
			if err := more.Take(&answer, said); err != nil {
				fmt.Fprintf(t.out, "Nothing is answered: %v.\n", err)
				continue
			}
		}
		return answer, nil
	}
}

// Confirm takes yes, y and nothing else for a yes, typed below the question.
func (t *Terminal) Confirm(ctx context.Context, question string) (bool, error) {
	t.asking.Lock()
	defer t.asking.Unlock()
	if t.typed.afresh() != nil {
		return false, nil // where nobody can be asked the answer is no
	}
	line, err := t.line(ctx, "\n"+question)
	if errors.Is(err, halt.ErrStop) {
		return false, nil
	}
	line = strings.ToLower(strings.TrimSpace(line))
	return line == "yes" || line == "y", err
}

// Agreed asks a question at the terminal. Without one it refuses, with what would be done and the command that does it: the same
// with the flag --confirm.
func (h *Host) Agreed(ctx context.Context, question, refusal string) (bool, error) {
	if !h.Terminal {
		return false, UsageError("%s\n  %s", refusal, h.Again("--confirm"))
	}
	yes, err := NewTerminal(h, &Prompt{}).Confirm(ctx, question+" (yes / no) ")
	if err == nil && !yes {
		err = h.Say("Nothing was changed.")
	}
	return yes, err
}

func (t *Terminal) line(ctx context.Context, question string) (string, error) {
	t.open.open.Store(true)
	fmt.Fprint(t.out, question)
	line, err := t.typed.line(ctx)
	if err != nil {
		t.open.End(t.out)
		return "", err
	}
	t.open.open.Store(false) // the person ended the line
	return line, nil
}
