package command

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"autopilot/autopilot/plainfile"
	"autopilot/personas"
)

// handoffName is the older form of a reply, which programs made for it write
// into their own folder or into .harness of the working tree.
const handoffName = "handoff.json"

// against adds to what is wrong with a reply why the work does not pass that it calls done. An error says nothing of the work:
// the engine will see by itself.
func (w *work) against(ctx context.Context, out personas.Outcome, bad *invalid) *invalid {
	if w.d.Check == nil || out.Kind != personas.GotReply || out.Reply.Status != personas.StatusDone {
		return bad
	}
	why, err := w.d.Check(ctx, *out.Reply)
	if err != nil || why == "" {
		return bad
	}
	if bad == nil {
		bad = &invalid{reply: out.Reply}
	}
	bad.work = w.mask().Replace(why)
	return bad
}

// clear takes away whatever lies where a reply will be looked for, and sees to
// the folder. A handoff.json of the tree belongs to others: what it is now is
// remembered, since only a new one counts.
func (w *work) clear() error {
	w.older, _ = w.root.Lstat(w.treeHandoff()) // not there: nothing to tell it from
	return errors.Join(
		w.root.MkdirAll(w.rel(w.d.OutDir), plainfile.PrivateFolder),
		w.root.RemoveAll(w.rel(w.d.ReplyPath)),
		w.root.RemoveAll(w.rel(filepath.Join(w.d.OutDir, handoffName))),
	)
}

func (w *work) treeHandoff() string { return filepath.Join(".harness", handoffName) }

// find gives the reply of a run: the file, else a fenced block of the output,
// of a known program of its last message, else an older handoff, and the text of it as it came. The error is a
// *personas.ReplyError, or personas.ErrNoReply.
func (w *work) find(r ran) (reply personas.Reply, text string, err error) {
	reply, text, err = w.fromFile(w.rel(w.d.ReplyPath), personas.ParseReply)
	if errors.Is(err, fs.ErrNotExist) {
		reply, text, err = w.fromWords(r)
	}
	if errors.Is(err, personas.ErrNoReply) {
		reply, text, err = w.fromHandoff()
	}
	if err == nil {
		err = w.d.Persona.CheckOwed(reply)
	}
	return reply, text, err
}

// fromWords looks into all that an unknown program printed, or that was said in a turn, and into the last message.
func (w *work) fromWords(r ran) (reply personas.Reply, text string, err error) {
	prompt := w.mask().Replace(r.prompt)
	err = personas.ErrNoReply
	if r.said == nil || !r.said.known || r.turn {
		reply, text, err = fromOutput(r.tail.String(), r.tail.Dropped() > 0, prompt)
	}
	if r.said != nil && r.said.known && errors.Is(err, personas.ErrNoReply) {
		reply, text, err = fromOutput(r.said.message.String(), r.said.message.Dropped() > 0, prompt)
	}
	return reply, text, err
}

func (w *work) fromFile(name string, parse func([]byte) (personas.Reply, error)) (personas.Reply, string, error) {
	data, err := personas.ReadReply(w.root, name)
	if err != nil {
		return personas.Reply{}, "", err
	}
	reply, err := parse(data)
	return reply, string(data), err
}

func (w *work) fromHandoff() (personas.Reply, string, error) {
	reply, text, err := w.fromFile(w.rel(filepath.Join(w.d.OutDir, handoffName)), personas.FromHandoff)
	if errors.Is(err, fs.ErrNotExist) && w.handedOff() {
		reply, text, err = w.fromFile(w.treeHandoff(), personas.FromHandoff)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = personas.ErrNoReply
	}
	return reply, text, err
}

// handedOff says whether the tree's handoff.json was written during the run.
func (w *work) handedOff() bool {
	now, err := w.root.Lstat(w.treeHandoff())
	return err == nil && (w.older == nil || !os.SameFile(w.older, now) || w.older.Size() != now.Size() || !w.older.ModTime().Equal(now.ModTime()))
}
