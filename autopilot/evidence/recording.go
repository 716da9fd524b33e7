package evidence

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
)

// Recording is the file that takes the output of the commands of one event while they run. No later event has the same,
// so that what the journal says of it stays true.
type Recording struct {
	written
	name string   // in the session's folder, with slashes
	said *Limited // what the command that runs prints
}

// written is a file, and what the journal says of it.
type written struct {
	file *os.File
	sum  hash.Hash
	size int64
	last byte
	err  error // the first failed write: what is missing shows nothing
}

// Record begins the file of an evidence, by its name in the session's folder. What a check that was cut off left under that
// name is in no journal.
func Record(dir, name string) (*Recording, error) {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := errors.Join(plainfile.MakeFolder(filepath.Dir(path)), plainfile.RemoveAll(path)); err != nil {
		return nil, err
	}
	file, err := plainfile.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, plainfile.PrivateFile)
	return newRecording(file, name), err
}

// RecordAt begins a file for the output of commands that is no evidence, in place of an earlier one.
func RecordAt(path string) (*Recording, error) {
	if err := errors.Join(plainfile.MakeFolder(filepath.Dir(path)), plainfile.File(path)); err != nil {
		return nil, err
	}
	file, err := plainfile.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, plainfile.PrivateFile)
	return newRecording(file, ""), err
}

func newRecording(file *os.File, name string) *Recording {
	return &Recording{written: written{file: file, sum: sha256.New(), last: '\n'}, name: name}
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

// Close closes the file, where Keep did not.
func (r *Recording) Close() error { return r.file.Close() }

// Begin writes what runs next.
func (r *Recording) Begin(command string) {
	fmt.Fprintf(&r.written, "$ %s\n", command)
	r.said = NewLimited(&r.written)
}

// Write takes what it prints.
func (r *Recording) Write(p []byte) (int, error) { return r.said.Write(p) }

// End writes how it ended, on a line of its own.
func (r *Recording) End(c machine.Check) {
	r.err = cmp.Or(r.err, r.said.Close())
	if r.last != '\n' {
		fmt.Fprintln(&r.written)
	}
	fmt.Fprintln(&r.written, machine.OutputEnd(c))
}

// Keep ends the file, durably, and says in the evidence which it is. People find a copy of it as shown, too: the last one
// of its kind. What they do to that leaves the evidence as it is.
func (r *Recording) Keep(ev *machine.Evidence, shown string) error {
	ev.Output, ev.OutputBytes, ev.OutputSHA256 = r.name, r.size, hex.EncodeToString(r.sum.Sum(nil))
	path := r.file.Name()
	if err := errors.Join(r.err, r.file.Sync(), r.file.Close()); err != nil {
		return fmt.Errorf("keeping the output of the commands: %w", err)
	}
	if err := errors.Join(plainfile.MakeFolder(filepath.Dir(shown)), plainfile.RemoveAll(shown)); err != nil {
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
	out, err := plainfile.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, plainfile.PrivateFile)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
