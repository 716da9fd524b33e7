package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"autopilot/autopilot/process"
	"autopilot/personas"
)

// work is one dispatch of a Backend.
type work struct {
	b     *Backend
	d     personas.Dispatch
	root  *os.Root // the working tree: no link in it leads out
	log   *os.File // nil: no record is kept
	spent time.Duration
	older os.FileInfo // the tree's handoff.json before the program ran; nil: there was none
}

// ran is one run of the program.
type ran struct {
	result process.Result
	prompt string
	tail   *tail
}

func (b *Backend) open(d personas.Dispatch) (*work, error) {
	root, err := os.OpenRoot(d.Dir)
	if err != nil {
		return nil, fmt.Errorf("opening the working tree: %w", err)
	}
	w := &work{b: b, d: d, root: root}
	if d.AttemptDir == "" {
		return w, nil
	}
	err = os.MkdirAll(d.AttemptDir, 0o755)
	if err == nil {
		w.log, err = os.OpenFile(filepath.Join(d.AttemptDir, "output.log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("opening the record of the attempt: %w", err), root.Close())
	}
	return w, nil
}

func (w *work) close() error {
	err := w.root.Close()
	if w.log != nil {
		err = errors.Join(err, w.log.Close())
	}
	return err
}

// dispatch runs the program to its outcome.
func (w *work) dispatch(ctx context.Context) (personas.Outcome, error) {
	if err := w.clear(); err != nil {
		return personas.Outcome{}, fmt.Errorf("making room for the reply: %w", err)
	}
	first, err := w.run(ctx, "prompt.md", w.d.Prompt)
	if err != nil {
		return personas.Outcome{}, err
	}
	out, bad := w.conclude(first)
	out.Turns = 1
	if bad == nil {
		return out, nil
	}
	return w.repair(ctx, bad)
}

// repair has the program hand its reply in once more. What it says then counts, or nothing does.
func (w *work) repair(ctx context.Context, bad *invalid) (personas.Outcome, error) {
	problems := strings.Join(bad.problems, "; ")
	out := personas.Outcome{Kind: personas.NoReply, Turns: 1}
	prompt := personas.Render(w.d.Persona, personas.Brief{
		Purpose: personas.Repair, ReplyPath: w.d.ReplyPath, Problems: bad.problems, Previous: bad.text,
	})
	if err := w.clear(); err != nil {
		out.Detail = fmt.Sprintf("its reply was not valid (%s), and it left no place for another: %v", problems, err)
		return out, nil
	}
	if err := w.note("!! The reply was not valid, and is asked for once more: " + problems + "\n"); err != nil {
		return out, err
	}
	second, err := w.run(ctx, "repair.md", prompt)
	if err != nil {
		return out, err
	}
	out, again := w.conclude(second)
	out.Turns = 2
	switch {
	case again != nil:
		out.Kind = personas.NoReply
		out.Detail = "its reply was not valid, and neither was the second: " + strings.Join(again.problems, "; ")
	case out.Kind == personas.NoReply:
		out.Detail = "its reply was not valid (" + problems + "), and asked for another, " + out.Detail
	}
	return out, nil
}

// run runs the program once, with its output in the log.
func (w *work) run(ctx context.Context, name, prompt string) (ran, error) {
	r := ran{prompt: prompt, tail: &tail{limit: maxTail}}
	file, err := w.promptFile(name, prompt)
	if err != nil {
		return r, err
	}
	out := newMask(personas.Secrets(w.b.environ(nil)), w.sinks(r.tail)...)
	c := process.Command{
		Argv: w.b.argv(file, w.d.ReplyPath), Dir: w.d.Dir, Env: w.b.environ(w.d.Env),
		Stdin: strings.NewReader(prompt), Output: out, Idle: w.d.Idle, Timeout: w.remaining(), LockFile: w.d.LockFile,
	}
	r.result, err = process.Run(ctx, c)
	w.spent += r.result.Duration
	if err != nil {
		return r, err
	}
	if err := out.flush(); err != nil {
		return r, err
	}
	return r, w.note(fmt.Sprintf("== %s after %s\n", ending(r.result), r.result.Duration.Round(time.Millisecond)))
}

// sinks are where the output goes.
func (w *work) sinks(t *tail) []io.Writer {
	sinks := []io.Writer{t}
	if w.log != nil {
		sinks = append(sinks, w.log)
	}
	if w.d.OnEvent != nil {
		sinks = append(sinks, &teller{tell: w.d.OnEvent})
	}
	return sinks
}

// note adds a line of the backend's own to the log.
func (w *work) note(line string) error {
	if w.log == nil {
		return nil
	}
	if _, err := w.log.WriteString(line); err != nil {
		return fmt.Errorf("writing output.log: %w", err)
	}
	return nil
}

// promptFile writes the prompt where the program can read it as a file, if its
// arguments name one. A prompt that the engine did not write is kept besides.
func (w *work) promptFile(name, prompt string) (string, error) {
	path := filepath.Join(w.d.OutDir, name)
	if mentions(w.b.o.Argv, promptFile) {
		if err := w.root.WriteFile(w.rel(path), []byte(prompt), 0o644); err != nil {
			return "", fmt.Errorf("writing the prompt: %w", err)
		}
	}
	if prompt == w.d.Prompt || w.d.AttemptDir == "" {
		return path, nil
	}
	if err := os.WriteFile(filepath.Join(w.d.AttemptDir, name), []byte(prompt), 0o644); err != nil {
		return "", fmt.Errorf("keeping the prompt: %w", err)
	}
	return path, nil
}

// remaining is what is left of the time for the whole dispatch; 0: no limit.
func (w *work) remaining() time.Duration {
	if w.d.Timeout <= 0 {
		return 0
	}
	return max(w.d.Timeout-w.spent, time.Second)
}

// rel is a path below the working tree.
func (w *work) rel(path string) string {
	rel, err := filepath.Rel(w.d.Dir, path)
	if err != nil {
		return path // root refuses it
	}
	return rel
}
