package view

import (
	"fmt"
	"strings"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
)

// Line is one line of a session's transcript: the same on the terminal as it happens, in log, in a report, and on a page.
type Line struct {
	Rev     int64     `json:"rev"` // of the event
	At      time.Time `json:"at"`
	Kind    string    `json:"kind"` // run, phase, plan, task, task_failed, check, decision, question, limit, finding, note, done, warning
	Mark    Mark      `json:"mark,omitempty"`
	Text    string    `json:"text"`
	Detail  []string  `json:"detail,omitempty"`  // lines below it
	Seconds float64   `json:"seconds,omitempty"` // that it took
	USD     float64   `json:"usd,omitempty"`
}

// Started begins the line of a session's first run.
const Started = "Started"

// writer makes the lines of one event.
type writer struct {
	t             *Transcript
	before, after machine.State
	e             machine.Event
	lines         []Line
}

func linesOf(t *Transcript, before machine.State, e machine.Event, after machine.State) []Line {
	w := &writer{t: t, before: before, after: after, e: e}
	w.run()
	w.plan()
	w.tasks()
	w.checked()
	w.ended()
	w.decided()
	w.phases()
	w.wishes()
	w.asked()
	return w.lines
}

// add adds a line; the pointer is good until the next.
func (w *writer) add(kind string, mark Mark, text string, detail ...string) *Line {
	w.lines = append(w.lines, Line{Rev: w.e.Rev, At: w.e.Time, Kind: kind, Mark: mark, Text: text, Detail: detail})
	return &w.lines[len(w.lines)-1]
}

// run tells of the begin of a run, of its branch, and of the checks before any change.
func (w *writer) run() {
	s := w.after
	switch w.e.Type {
	case machine.RunStarted:
		if s.Runs <= 1 {
			w.add("run", "", Joined(Started, s.Spec.Title, machine.Plural(len(s.Phases), "phase", "phases")))
			return
		}
		stopped := ""
		if gap := w.e.Time.Sub(w.before.UpdatedAt); gap >= time.Second {
			stopped = "stopped " + Ago(gap)
		}
		w.add("run", "", Joined("Resumed", whereabouts(s), stopped))
	case machine.Branched:
		if w.e.Branch != "" {
			w.add("run", "", "On branch "+w.e.Branch)
		}
	case machine.BaselineMeasured:
		w.baseline()
	case machine.Undone:
		w.undone()
	}
}

func (w *writer) undone() {
	u := w.before.Undoing
	switch {
	case u == nil:
	case u.Back:
		w.add("decision", "", "The undo of phase "+u.Phase+" was taken back")
	default:
		w.add("decision", "", "Phase "+u.Phase+" was undone; its commits are kept under "+u.Ref)
	}
}

func (w *writer) baseline() {
	if w.e.Baseline == nil {
		return
	}
	checks := w.e.Baseline.Checks
	took := machine.SecondsOf(checks)
	switch bad := failed(checks); {
	case w.e.Baseline.Waived:
		w.add("check", Skipped, "No checks, as the configuration wants it")
	case len(checks) == 0:
		w.add("check", Skipped, "No checks found to run before the first change")
	case len(bad) > 0:
		w.add("check", Broken, machine.Commands(bad)+" already fails without any change", failing(bad, 4)...).Seconds = took
	default:
		w.add("check", Passed, "Checks passed before the first change").Seconds = took
	}
}

// whereabouts is where a run takes a session up: phase 2 (Rule engine), task 2 of 5.
func whereabouts(s machine.State) string {
	where := here(s)
	if n := numberOf(s.Tasks, s.CurrentTask); n > 0 && inTasks(s) {
		where += ", task " + of(n, len(s.Tasks))
	}
	return where
}

// plan tells of a plan that was read, or could not be.
func (w *writer) plan() {
	switch w.e.Type {
	case machine.PlanMissing:
		w.add("plan", Broken, "The plan can't be used", firstLines(w.e.Detail, 4)...)
	case machine.PlanEdited:
		w.add("plan", "", Joined("The plan was edited", machine.Plural(len(w.after.Tasks), "task", "tasks")))
	}
}

// failed are the checks that did not pass.
func failed(checks []machine.Check) []machine.Check {
	return machine.ChecksWith(checks, machine.CheckFailed, machine.CheckTimedOut, machine.CheckCouldNot, machine.CheckBaselineRed)
}

// ended says how commands ended that did not pass.
func ended(bad []machine.Check) string {
	var parts []string
	for _, how := range []struct{ outcome, words string }{
		{machine.CheckFailed, " failed"}, {machine.CheckBaselineRed, " failed"}, {machine.CheckTimedOut, " timed out"}, {machine.CheckCouldNot, " could not be run"},
	} {
		if of := machine.ChecksWith(bad, how.outcome); len(of) > 0 {
			parts = append(parts, machine.Commands(of)+how.words)
		}
	}
	return strings.Join(parts, ", ")
}

// failing are the lines that say why checks failed, at most n.
func failing(checks []machine.Check, n int) (lines []string) {
	for _, c := range checks {
		lines = append(lines, firstLines(c.Detail, max(0, n-len(lines)))...)
	}
	return lines
}

// Change says how large a commit is: 4 files +120 −8.
func Change(c Commit) string {
	if c.Files == 0 {
		return ""
	}
	return fmt.Sprintf("%s +%d −%d", machine.Plural(c.Files, "file", "files"), c.Added, c.Removed)
}

func of(n, all int) string { return fmt.Sprintf("%d of %d", n, all) }

// firstOf is the first line of a text, cut where it is long.
func firstOf(text string) string {
	first := []rune(words.OneLine(words.FirstLine(text)))
	if len(first) > 120 {
		return string(first[:119]) + "…"
	}
	return string(first)
}
