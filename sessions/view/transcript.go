package view

import (
	"slices"
	"time"

	"autopilot/autopilot/machine"
)

// Transcript follows a session through its journal. It keeps what the state forgets: tasks of earlier phases, when an attempt
// began, what its checks showed, how long questions stood open. Its zero value is at the beginning.
type Transcript struct {
	Sizes func(sha string) (Commit, bool) // tells what a commit changed; nil: no git is at hand

	began    time.Time
	tasks    map[int][]machine.Task // by the position of their phase; 0: of the final review
	attempts map[key][]Attempt
	spent    map[key]machine.Spent // of a task, when its attempt began
	commits  []Commit
	decided  map[int]string      // by the place of the decision: its words
	undone   map[string][]Commit // by the ref that keeps them
	took     map[string]float64  // by command: how long it took the last time
	you      float64             // seconds that questions stood open
	limits   float64             // that a run waited for limits
	limited  time.Time           // since when one is waited for
	lastRun  *LastRun
	phaseAt  float64 // the session's running time when the phase at hand began
}

// key names a task: ids start over in each phase.
type key struct {
	position int
	task     string
}

// Take goes on by an event, from the state before it to the one after, and gives the lines that it adds to the transcript.
func (t *Transcript) Take(before machine.State, e machine.Event, after machine.State) []Line {
	if t.tasks == nil {
		t.tasks, t.attempts, t.spent, t.took, t.decided = map[int][]machine.Task{}, map[key][]Attempt{}, map[key]machine.Spent{}, map[string]float64{}, map[int]string{}
		t.began = e.Time
	}
	at := positionOf(after)
	if len(after.Tasks) > 0 {
		t.tasks[at] = after.Tasks
	}
	t.takeAttempt(at, before, e, after)
	t.takeTime(before, e, after)
	if after.CurrentState == machine.Assess && (before.CurrentState != machine.Assess || before.CurrentPhase != after.CurrentPhase) {
		t.phaseAt = after.Elapsed
	}
	if e.With != nil {
		t.lastRun = (*LastRun)(e.With)
	}
	if e.Type == machine.EffectDone && e.Commit != "" {
		t.commits = append(t.commits, Commit{SHA: e.Commit, Task: taskOfCommit(before, after), Phase: positionOf(before), At: e.Time})
	}
	if e.Type == machine.Undone && before.Undoing != nil {
		t.takeUndo(*before.Undoing)
	}
	return linesOf(t, before, e, after)
}

// size is what a commit changed.
func (t *Transcript) size(sha string) (Commit, bool) {
	if t.Sizes == nil || sha == "" {
		return Commit{}, false
	}
	return t.Sizes(sha)
}

// takeUndo forgets what an undo takes off the branch: its commits. With that taken back they are there again.
func (t *Transcript) takeUndo(u machine.Undo) {
	if u.Back {
		t.commits = append(t.commits, t.undone[u.Ref]...)
		return
	}
	at := slices.IndexFunc(t.commits, func(c Commit) bool { return u.State != nil && c.At.After(u.State.UpdatedAt) })
	if at >= 0 {
		t.undone = map[string][]Commit{u.Ref: slices.Clone(t.commits[at:])}
		t.commits = t.commits[:at]
	}
}

// taskOfCommit is the task that a commit completed; "" where it belongs to none.
func taskOfCommit(before, after machine.State) string {
	for _, now := range after.Tasks {
		if old, ok := before.Task(now.ID); ok && len(now.Attempts) > len(old.Attempts) {
			return now.ID
		}
	}
	return ""
}

// takeAttempt notes what belongs to an attempt that is being made.
func (t *Transcript) takeAttempt(at int, before machine.State, e machine.Event, after machine.State) {
	switch {
	case e.Type == machine.Dispatched && e.Dispatch != nil && e.Dispatch.Task != "" && e.Dispatch.Purpose != "diagnosis":
		a := t.attempt(at, after, e.Dispatch.Task)
		if a.Dispatch = e.Dispatch.ID; a.Start.IsZero() {
			a.Start = e.Time
		}
	case e.Type == machine.TaskStarted && e.Base != "":
		t.attempt(at, after, e.Task).Start = e.Time
		task, _ := before.Task(e.Task)
		t.spent[key{at, e.Task}] = task.Spent
	case e.Type == machine.Validated:
		id := e.Task
		if id == "" {
			id = before.CurrentTask
		}
		a := t.attempt(positionOf(before), before, id)
		if a.Checks = e.Checks; e.Evidence != nil {
			a.Output, a.OutputSHA256 = e.Evidence.Output, e.Evidence.OutputSHA256
		}
	}
	for _, c := range e.Checks {
		t.took[c.Command] = c.Seconds
	}
	for _, now := range after.Tasks {
		old, ok := before.Task(now.ID)
		if !ok || len(now.Attempts) <= len(old.Attempts) || len(now.Attempts) == 0 {
			continue
		}
		k := key{at, now.ID}
		if n := len(now.Attempts); len(t.attempts[k]) >= n {
			t.attempts[k][n-1].End = e.Time
			t.attempts[k][n-1].USD = now.Spent.CostUSD - t.spent[k].CostUSD
		}
		t.spent[k] = now.Spent
	}
}

// attempt is the one that a task is at.
func (t *Transcript) attempt(at int, s machine.State, id string) *Attempt {
	task, _ := s.Task(id)
	k, n := key{at, id}, len(task.Attempts)
	for len(t.attempts[k]) <= n {
		t.attempts[k] = append(t.attempts[k], Attempt{N: len(t.attempts[k]) + 1})
	}
	t.attempts[k] = t.attempts[k][:n+1] // those of a phase that is done again start over
	return &t.attempts[k][n]
}

// takeTime counts how long a person, or a limit, was waited for.
func (t *Transcript) takeTime(before machine.State, e machine.Event, after machine.State) {
	if before.Gate != nil && (after.Gate == nil || after.Gate.ID != before.Gate.ID) && e.Time.After(before.Gate.AskedAt) {
		t.you += e.Time.Sub(before.Gate.AskedAt).Seconds()
	}
	switch {
	case after.LimitedUntil == nil && !t.limited.IsZero():
		t.limits += max(0, e.Time.Sub(t.limited).Seconds())
		t.limited = time.Time{}
	case after.LimitedUntil != nil && t.limited.IsZero():
		t.limited = e.Time
	}
}
