package autopilot

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/validate"
)

// recording is the file that takes the output of the commands of one event while they run. No later event has the same,
// so that what the journal says of it stays true.
type recording struct {
	written
	name string         // in the session's folder, with slashes
	said *withoutMiddle // what the command that runs prints
}

// written is a file, and what the journal says of it.
type written struct {
	file *os.File
	sum  hash.Hash
	size int64
	last byte
	err  error // the first failed write: what is missing shows nothing
}

// record begins the file of the next evidence. What a check that was cut off left under that name is in no journal.
func (e *Engine) record(task *machine.Task) (*recording, error) {
	id := ""
	if task != nil {
		id = task.ID
	}
	name := machine.OutputName(e.state(), id)
	path := filepath.Join(e.Records.Dir(), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	return newRecording(file, name), err
}

// begunAt begins a file for the output of commands that is no evidence, in place of an earlier one.
func begunAt(path string) (*recording, error) {
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), plainfile.File(path)); err != nil {
		return nil, err
	}
	file, err := os.Create(path)
	return newRecording(file, ""), err
}

func newRecording(file *os.File, name string) *recording {
	return &recording{written: written{file: file, sum: sha256.New(), last: '\n'}, name: name}
}

func (w *written) Write(p []byte) (int, error) {
	n, err := w.file.Write(p)
	w.err = cmp.Or(w.err, err)
	w.sum.Write(p[:n])
	if w.size += int64(n); n > 0 {
		w.last = p[n-1]
	}
	return n, err
}

// begin writes what runs next.
func (r *recording) begin(command string) {
	fmt.Fprintf(&r.written, "$ %s\n", command)
	r.said = newWithoutMiddle(&r.written)
}

// Write takes what it prints.
func (r *recording) Write(p []byte) (int, error) { return r.said.Write(p) }

// end writes how it ended, on a line of its own.
func (r *recording) end(c machine.Check) {
	r.err = cmp.Or(r.err, r.said.close())
	if r.last != '\n' {
		fmt.Fprintln(&r.written)
	}
	fmt.Fprintln(&r.written, machine.OutputEnd(c))
}

// keep ends the file, durably, and says in the evidence which it is. People find a copy of it as shown, too: the last one
// of its kind. What they do to that leaves the evidence as it is.
func (r *recording) keep(ev *machine.Evidence, shown string) error {
	ev.Output, ev.OutputBytes, ev.OutputSHA256 = r.name, r.size, hex.EncodeToString(r.sum.Sum(nil))
	path := r.file.Name()
	if err := errors.Join(r.err, r.file.Sync(), r.file.Close()); err != nil {
		return fmt.Errorf("keeping the output of the commands: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(shown), 0o755); err != nil {
		return err
	}
	if err := os.Remove(shown); err != nil && !os.IsNotExist(err) {
		return err
	}
	return copyOutput(path, shown)
}

func copyOutput(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// maxDirtyKept is how many of the paths that differ from HEAD the evidence names.
const maxDirtyKept = 50

// ground says which tree the commands of a job ran on. It is asked for even when the run is being stopped: what they
// showed would be lost otherwise.
func (e *Engine) ground(ctx context.Context, j job, byProducts []string) (*machine.Evidence, error) {
	ctx = context.WithoutCancel(ctx)
	position, err := e.Repo.Position(ctx)
	if err != nil {
		return nil, err
	}
	ev := &machine.Evidence{Commit: position.Head, Clean: j.clean}
	if j.clean {
		ev.Tree, err = e.Repo.TreeHashAt(ctx, position.Head)
		return ev, err
	}
	if ev.Tree, err = e.Repo.TreeHash(ctx); err != nil {
		return nil, err
	}
	dirt, err := e.Repo.Dirt(ctx)
	if err != nil {
		return nil, err
	}
	dirty := git.Paths(dirt)
	ev.Dirty = dirty[:min(len(dirty), maxDirtyKept)]
	ev.DirtyMore = len(dirty) - len(ev.Dirty)
	if j.task == nil {
		return ev, nil
	}
	own, err := e.uncommittedOf(ctx, *j.task)
	if err != nil {
		return nil, err
	}
	own = slices.DeleteFunc(own, func(path string) bool { return slices.Contains(byProducts, path) })
	ev.CommitTree, err = e.Repo.TreeHashWith(ctx, own)
	return ev, err
}

// runScripts runs the repository's own scripts over what changed since a commit, as part of a job.
func (e *Engine) runScripts(ctx context.Context, runner validate.Runner, out *recording, j job) (checks []machine.Check, findings []machine.Finding, err error) {
	if j.scripts == "" {
		return nil, nil, nil
	}
	for _, one := range runner.ValidateD(ctx, j.root, j.scripts) {
		if one.Outcome == validate.Interrupted {
			return nil, nil, &InterruptedError{Cause: ctx.Err()}
		}
		c := e.judge(one)
		out.begin(c.Command)
		fmt.Fprint(out, one.Output)
		out.end(c)
		checks = append(checks, c)
		if one.Outcome == validate.Warned {
			findings = append(findings, warningOf(one, strings.TrimSuffix(one.Command, " "+j.scripts)))
		}
	}
	return checks, findings, nil
}

// warningOf is the finding of a script that asked to be heard; one that failed is a failed check.
func warningOf(e validate.Evidence, script string) machine.Finding {
	return machine.Finding{
		Severity: machine.Important, File: script, Title: fmt.Sprintf("%s warns (exit code %d)", script, e.ExitCode),
		Rationale: e.Output, Source: "check", Warning: true,
	}
}
