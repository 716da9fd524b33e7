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

	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/process"
	"autopilot/autopilot/tail"
	"autopilot/personas"
)

// work is one dispatch of a Backend.
type work struct {
	b     *Backend
	d     personas.Dispatch
	root  *os.Root   // the working tree: no link in it leads out
	log   *outputLog // nil: no record is kept
	spent time.Duration
	older os.FileInfo // the tree's handoff.json before the program ran; nil: there was none
	call  call
	usage personas.Usage

	speaker Speaker // nil: none, or none so far

	metrics personas.Metrics
}

// ran is one run of the program.
type ran struct {
	result process.Result
	prompt string
	tail   *tail.Writer
	said   *stream // nil: the events of the program are not known
	told   *teller // then; else nil
	turn   bool    // of a program that is spoken to: it may run on, and tail has all that it said
}

func (b *Backend) open(d personas.Dispatch) (*work, error) {
	root, err := os.OpenRoot(d.Dir)
	if err != nil {
		return nil, fmt.Errorf("opening the working tree: %w", err)
	}
	w := &work{b: b, d: d, root: root, call: b.call(d.Persona)}
	if d.AttemptDir == "" {
		return w, nil
	}
	err = plainfile.MakeFolder(d.AttemptDir)
	if err == nil {
		w.log, err = openOutputLog(d.AttemptDir, maxOutput)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("opening the record of the attempt: %w", err), root.Close())
	}
	return w, nil
}

func (w *work) close() error {
	var err error
	if w.speaker != nil {
		err = w.speaker.Close()
	}
	err = errors.Join(err, w.root.Close())
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
	first, err := w.run(ctx, "prompt.md", w.d.Prompt, nil)
	if err != nil {
		return personas.Outcome{}, err
	}
	out, bad := w.conclude(first)
	if out.Turns = 1; out.Outage != "" && w.metrics.ToolCalls == 0 && w.usage == (personas.Usage{}) {
		out.Turns = 0 // the server was out of order from the first
	}
	if bad = w.against(ctx, out, bad); bad != nil {
		if first.said != nil {
			w.call.session = first.said.session
		}
		out, err = w.repair(ctx, bad, first.said)
	}
	out.Usage, out.Metrics = w.usage, w.metrics
	return out, err
}

// repair has the program hand its reply in once more, in the conversation of
// before where it has one. What it says then counts; else a reply that was valid, or nothing.
func (w *work) repair(ctx context.Context, bad *invalid, before *stream) (personas.Outcome, error) {
	problems := strings.Join(bad.problems, "; ")
	out := personas.Outcome{Kind: personas.NoReply, Turns: 1}
	prompt := personas.Render(w.d.Persona, personas.Brief{
		Purpose: personas.Repair, ReplyPath: w.d.ReplyPath, Problems: bad.problems, Previous: bad.text, Failure: bad.work,
	})
	if bad.work != "" && w.speaker == nil && w.call.session == "" { // it knows nothing of what it did
		prompt = w.d.Prompt + "\n" + prompt
	}
	if err := w.clear(); err != nil {
		out.Detail = fmt.Sprintf("its reply was not valid (%s), and it left no place for another: %v", problems, err)
		return out, nil
	}
	if err := w.note("!! The reply was not taken, and is asked for once more: " + problems + bad.work + "\n"); err != nil {
		return out, err
	}
	second, err := w.run(ctx, "repair.md", prompt, before)
	if err != nil {
		return out, err
	}
	out, again := w.conclude(second)
	out.Turns = 2
	switch {
	case out.Kind == personas.GotReply:
	case bad.reply != nil && (again != nil || out.Kind == personas.NoReply):
		out.Kind, out.Reply = personas.GotReply, bad.reply
	case again != nil:
		out.Kind = personas.NoReply
		out.Detail = "its reply was not valid, and neither was the second: " + strings.Join(again.problems, "; ")
	case out.Kind == personas.NoReply:
		out.Detail = "its reply was not valid (" + problems + "), and asked for another, " + out.Detail
	}
	return out, nil
}

// run runs the program once, with its output in the log. Where a conversation
// goes on, what it said before is known.
func (w *work) run(ctx context.Context, name, prompt string, before *stream) (ran, error) {
	r := ran{prompt: prompt, tail: &tail.Writer{Limit: maxTail}, said: w.listen(before)}
	if r.said == nil {
		r.told = &teller{d: w.d}
	}
	file, err := w.promptFile(name, prompt)
	if err != nil {
		return r, err
	}
	if err := w.settingsFile(); err != nil {
		return r, err
	}
	c := process.Command{
		Argv: w.b.argv(w.call, file, w.d.ReplyPath), Dir: w.d.Dir, Env: w.b.environ(w.call, w.d.Env),
		Idle: w.d.Idle, Timeout: w.remaining(), LockFile: w.d.LockFile,
	}
	if w.b.o.Speaker != nil {
		err = w.ask(ctx, c, &r)
	} else {
		err = w.feed(ctx, c, &r)
	}
	w.spent += r.result.Duration
	if err != nil {
		return r, err
	}
	if r.told != nil {
		r.told.finish()
	}
	if r.said != nil {
		r.said.finish()
		r.settle(ctx.Err() != nil)
		w.metrics.ToolCalls += r.said.metrics.ToolCalls
		w.metrics.ToolFailures += r.said.metrics.ToolFailures
		w.metrics.ToldTools = w.metrics.ToldTools || r.said.known
	}
	return r, w.note(fmt.Sprintf("== %s after %s\n", r.ending(), r.result.Duration.Round(time.Millisecond)))
}

// feed runs a program that takes its prompt from standard input, to its end.
func (w *work) feed(ctx context.Context, c process.Command, r *ran) (err error) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	if r.said != nil {
		stays := &lingering{grace: w.b.o.Linger, end: end}
		defer stays.turn(false)
		r.said.turned = stays.turn
	}
	out := w.mask().Writer(io.MultiWriter(w.sinks(*r)...))
	c.Stdin, c.Output = strings.NewReader(r.prompt), out
	r.result, err = process.Run(ctx, c)
	return errors.Join(err, out.Close())
}

// mask takes out what no record holds: also a key whose variable has no telling
// name, and those that the program is not given, since it may find them elsewhere.
func (w *work) mask() *personas.Mask {
	return personas.NewMask(append(w.b.environ(w.call, nil), w.b.o.Environ...), append(personas.MCPSecrets(w.call.servers, w.b.o.Environ), w.call.key)...)
}

// listen makes the stream for the events of a known program.
func (w *work) listen(before *stream) *stream {
	if w.b.o.Speaker != nil {
		return w.hear()
	}
	if w.b.o.Preset == nil {
		return nil
	}
	s := newStream(w.b.o.Preset.dialect, w.d, w.spend)
	s.mask = w.mask()
	if before != nil && before.session != "" {
		switch {
		case s.dialect.threadUsage:
			s.used = before.used
		case s.dialect.threadCost:
			s.used.CostUSD = before.used.CostUSD
		}
	}
	return s
}

func (w *work) spend(u personas.Usage) {
	w.usage = w.usage.Add(u)
	if w.d.OnUsage != nil {
		w.d.OnUsage(u)
	}
}

// sinks are where the output goes.
func (w *work) sinks(r ran) []io.Writer {
	sinks := []io.Writer{r.tail}
	if w.log != nil {
		sinks = append(sinks, w.log)
	}
	switch {
	case r.said != nil:
		sinks = append(sinks, r.said)
	case r.told != nil:
		sinks = append(sinks, r.told)
	}
	return sinks
}

// note adds a line of the backend's own to the log.
func (w *work) note(line string) error {
	if w.log == nil {
		return nil
	}
	if _, err := io.WriteString(w.log, line); err != nil {
		return fmt.Errorf("writing output.log: %w", err)
	}
	return nil
}

// promptFile writes the prompt where the program can read it as a file, if its
// arguments name one. A prompt that the engine did not write is kept besides.
func (w *work) promptFile(name, prompt string) (string, error) {
	path := filepath.Join(w.d.OutDir, name)
	if mentions(w.b.o.Argv, promptFile) {
		if err := w.root.WriteFile(w.rel(path), []byte(prompt), plainfile.PrivateFile); err != nil {
			return "", fmt.Errorf("writing the prompt: %w", err)
		}
	}
	if prompt == w.d.Prompt || w.d.AttemptDir == "" {
		return path, nil
	}
	if err := plainfile.WriteFile(filepath.Join(w.d.AttemptDir, name), []byte(prompt), plainfile.PrivateFile); err != nil {
		return "", fmt.Errorf("keeping the prompt: %w", err)
	}
	return path, nil
}

// settingsFile writes the settings of a preset where its program reads them.
func (w *work) settingsFile() error {
	if w.b.o.Preset == nil || w.b.o.Preset.settings == nil {
		return nil
	}
	w.call.file = filepath.Join(w.d.OutDir, filepath.FromSlash(w.b.o.Preset.settingsAt))
	err := w.root.MkdirAll(w.rel(filepath.Dir(w.call.file)), plainfile.PrivateFolder)
	if err == nil {
		err = w.root.WriteFile(w.rel(w.call.file), []byte(w.b.o.Preset.settings(w.call)), plainfile.PrivateFile)
	}
	if err != nil {
		return fmt.Errorf("writing the program's settings: %w", err)
	}
	return nil
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
