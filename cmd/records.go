package cmd

import (
	"errors"
	"time"

	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/personas"
	"autopilot/sessions"
	"autopilot/sessions/audit"
	"autopilot/sessions/learnings"
	"autopilot/sessions/taskfile"
)

// records is where the engine keeps what belongs to a session beside its state.
type records struct {
	files
	sessions.Folders
	now     func() time.Time
	harness string // absolute
	report  journal.Reporter
}

// files are those of a session, by name.
type files interface {
	Dir() string
	WriteJSON(name string, v any) error
	WriteText(name, text string) error
}

// Index brings the list of all sessions up to date. It is made again from their states, so that what lies in its place is
// told, and stops nothing.
func (r records) Index() error {
	err := sessions.WriteIndex(r.harness, sessions.Options{Now: r.now})
	if _, inItsPlace := errors.AsType[*plainfile.LinkError](err); inItsPlace {
		r.report.Report(journal.Note{Event: "warning", Text: "The list of sessions could not be written: " + err.Error()})
		return nil
	}
	return err
}

// Altered names the evidence that is gone, or is not what the journal says, as the audit finds it.
func (r records) Altered() (names []string, err error) {
	found, err := audit.Session(r.Dir(), sessions.Options{Now: r.now})
	for _, part := range []string{audit.PartOutputs, audit.PartAttempts, audit.PartRecords} {
		for _, p := range found.Problems[part] {
			names = append(names, p.Where+": "+p.What)
		}
	}
	return names, err
}

// progress writes what people and other tools read of a session.
type progress struct{ *sessions.Session }

func (p progress) Progress(l journal.ProgressLine) error {
	return p.Session.Progress(taskfile.ProgressLine{Type: l.Type, Task: l.Task, Category: l.Category, Message: l.Message, Key: l.Key})
}

// memory keeps what a session learned, and what went wrong in it.
type memory struct {
	session *sessions.Session
	now     func() time.Time
	harness string // absolute
}

// skill is the name that the lines of learnings and failures carry.
const skill = "autopilot"

func (m memory) Learn(list []personas.Learning) error {
	for _, l := range list {
		entry := learnings.Learning{Date: m.now(), Skill: skill, Outcome: l.Outcome, Text: l.Text}
		if err := m.session.Learnings().Learn(entry, entry.Key()); err != nil {
			return err
		}
	}
	return nil
}

func (m memory) Fail(key, kind, text string) error {
	return m.session.Learnings().Fail(learnings.Failure{Date: m.now(), Skill: skill, Type: kind, Text: text}, key)
}

func (m memory) Learnings(budget int) ([]string, error) {
	list, err := m.session.Learnings().Newest(budget)
	return learnings.Brief(list), err
}

func (m memory) Promote() (int, error) {
	if _, err := m.session.Learnings().Promote(); err != nil {
		return 0, err
	}
	all, err := learnings.List(m.harness)
	return len(all), err
}

// inbox shows a session's inbox to the engine, one answer at a time.
type inbox struct {
	*sessions.Session
	taken *sessions.InboxFile
}

// Wished says whether a person wants something of the run.
func (i *inbox) Wished(w machine.Wish) bool { return sessions.Wished(i.Session.Dir(), w) }

// Drop forgets a wish that is done.
func (i *inbox) Drop(w machine.Wish) { sessions.DropWish(i.Session.Dir(), w) }

// Next finds an answer to the open gate. Files that are no answers, or were there too early, are refused on the way;
// answers to other gates are refused as well: a gate opens once.
func (i *inbox) Next(gate machine.Gate) (machine.Answer, bool, error) {
	files, err := i.Session.Inbox()
	if err != nil {
		return machine.Answer{}, false, err
	}
	for _, f := range files {
		problem := f.Problem
		if problem == "" && f.Answer.Gate != gate.ID {
			problem = "the open question is " + gate.ID + ", not " + f.Answer.Gate
		}
		if problem != "" {
			if err := i.Session.Refuse(f, problem); err != nil {
				return machine.Answer{}, false, err
			}
			continue
		}
		i.taken = &f
		return f.Answer, true, nil
	}
	return machine.Answer{}, false, nil
}

func (i *inbox) Settle(_ machine.Gate, refused error) error {
	if i.taken == nil {
		return nil
	}
	f := *i.taken
	i.taken = nil
	if refused != nil {
		return i.Session.Refuse(f, refused.Error())
	}
	return i.Session.Remove(f)
}
