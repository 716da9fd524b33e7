package journal

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"time"

	"autopilot/autopilot/words"
)

// Work is something at work in a run: a dispatch, or a command of a check.
type Work struct {
	Lane    string // the task in whose working tree it is; "": the run's own
	Task    string // id; "": it is about none
	Persona string // of a dispatch
	Purpose string
	Command string        // of a check
	Idle    time.Duration // without a word of it, after which it is stopped; 0: never
}

// Watcher is told what is at work now, for whoever looks on. It decides nothing.
type Watcher interface {
	Begin(id string, w Work)
	Said(id, line string) // "": a sign of life that is not worth showing
	End(id string)
}

// Begin tells that something is at work, under an id of its own. Without a task it is about the one at work.
func (j *Journal) Begin(id string, w Work) {
	if j.Watch != nil {
		w.Lane = j.task
		w.Task = cmp.Or(w.Task, j.task, j.State().CurrentTask)
		j.Watch.Begin(id, w)
	}
}

// Said tells the last line of something at work.
func (j *Journal) Said(id, line string) {
	if j.Watch != nil {
		j.Watch.Said(id, line)
	}
}

// End tells that something is at work no more.
func (j *Journal) End(id string) {
	if j.Watch != nil {
		j.Watch.End(id)
	}
}

// Command tells that a command of a check is at work. What is written is what it prints; end is to be called at its end.
func (j *Journal) Command(command string) (prints io.Writer, end func()) {
	l := &lines{}
	id := fmt.Sprintf("command %p", l)
	l.said = func(line string) { j.Said(id, line) }
	j.Begin(id, Work{Command: words.OneLine(command)})
	return l, func() { j.End(id) }
}

// maxLine is how much of a line is kept, in bytes.
const maxLine = 400

type lines struct {
	said func(line string)
	line []byte
}

func (l *lines) Write(p []byte) (int, error) {
	n := len(p)
	for {
		line, rest, whole := bytes.Cut(p, []byte("\n"))
		l.line = append(l.line, line[:min(len(line), maxLine-len(l.line))]...)
		if !whole {
			return n, nil
		}
		l.said(string(bytes.TrimSpace(l.line)))
		l.line, p = l.line[:0], rest
	}
}
