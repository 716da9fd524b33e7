package transition

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"autopilot/autopilot/machine"
)

// fate is what happens to a task, however often it is stopped and wherever it runs.
type fate struct {
	failures int              // attempts that fail before one passes
	merged   int              // of those, attempts that pass in a lane and fail behind it
	crashes  bool             // those that fail crash, and come to no validation
	lost     machine.StepName // the step at which those that fail lose their working tree, three times each; others once at most
	blocked  bool             // the first dispatch asks a human
	missing  bool             // the first validation cannot start
	unready  string           // the step at which its working tree cannot be made ready at once, or a pause is due
	asks     machine.GateKind // what is asked then
	stray    []string         // files that it changes beside its footprint
	unproven bool             // old tests fail on it, wherever it is validated
	warned   bool             // its agent hears of that before it replies
}

// wave plays EXECUTE over tasks with given fates: files is the tree, and a lane remembers the tree that it was made of.
type wave struct {
	t     *rapid.T
	w     *world
	fates map[string]fate
	files map[string]string // committed, by path: who wrote it, in order
	bases map[string]map[string]string
	tries map[string]int // validations so far
	asked map[string]bool
	rows  map[string]bool
	most  int // lanes at work at once

	workers int // the most of any run

	beside map[string]map[string]bool // which tasks were in lanes at the same time
	order  []string                   // of one by one
}

func someTasks(t *rapid.T) ([]machine.Task, map[string]fate) {
	n := rapid.IntRange(1, 7).Draw(t, "tasks")
	var tasks []machine.Task
	fates := map[string]fate{}
	calm := rapid.Bool().Draw(t, "calm") // no human is asked
	for i := range n {
		task := machine.Task{ID: machine.TaskID(i + 1), Number: fmt.Sprint(i + 1), Title: fmt.Sprintf("Do %d", i+1), Kind: machine.KindPlan, Status: machine.TaskPending}
		for j := range i {
			if rapid.IntRange(0, 4).Draw(t, "depends") == 0 {
				task.DependsOn = append(task.DependsOn, machine.TaskID(j+1))
			}
		}
		task.Files = rapid.SampledFrom([][]string{{"a"}, {"b"}, {"c"}, {"d"}, {"e", "f"}, {"sub/x.go"}, {"sub"}, nil}).Draw(t, "files")
		if rapid.IntRange(0, 9).Draw(t, "owns") == 0 {
			task.Owns = []string{"sub/**"}
		}
		tasks = append(tasks, task)
		failures := rapid.SampledFrom([]int{0, 0, 0, 1, 2, 9}).Draw(t, "failures")
		f := fate{
			failures: failures, merged: rapid.IntRange(0, min(failures, 1)).Draw(t, "merged"),
			crashes:  rapid.Bool().Draw(t, "crashes"),
			lost:     rapid.SampledFrom([]machine.StepName{"", "", machine.StepReply, machine.StepValidate, machine.StepCommit}).Draw(t, "lost"),
			blocked:  rapid.IntRange(0, 9).Draw(t, "blocked") == 0,
			missing:  rapid.IntRange(0, 9).Draw(t, "missing") == 0,
			unready:  rapid.SampledFrom([]string{"", "", "", "diagnose", "diagnosis", "dispatch", "reply", "validate", "rollback"}).Draw(t, "unready"),
			asks:     rapid.SampledFrom([]machine.GateKind{machine.GateBlocked, machine.GatePause}).Draw(t, "asks"),
			stray:    rapid.SampledFrom([][]string{nil, nil, nil, {"go.sum"}, {"go.mod"}, {"go.mod", "go.sum"}}).Draw(t, "stray"),
			unproven: rapid.IntRange(0, 3).Draw(t, "unproven") == 0,
			warned:   rapid.Bool().Draw(t, "warned"),
		}
		if calm {
			f.blocked, f.missing, f.unready = false, false, ""
		}
		fates[task.ID] = f
	}
	return tasks, fates
}

func newWave(t *rapid.T, tasks []machine.Task, fates map[string]fate, parallel int) *wave {
	first := fresh(machine.Fast, machine.Low)
	first.CurrentState, first.Step, first.Tasks = machine.Execute, machine.StepPick, tasks
	first.RetryBudget.MaxAttempts = 2
	v := &wave{
		t: t, w: newWorld(t, newReached(), first), fates: fates, files: map[string]string{},
		bases: map[string]map[string]string{}, tries: map[string]int{}, asked: map[string]bool{}, rows: map[string]bool{},
		beside: map[string]map[string]bool{},
	}
	v.w.met.light = true
	for _, t := range inTurn(tasks) {
		v.order = append(v.order, t.ID)
	}
	v.must(machine.Event{Type: machine.RunStarted, Parallel: parallel})
	return v
}

func (v *wave) must(e machine.Event) {
	v.t.Helper()
	before := v.w.s
	if err := v.w.report(e); err != nil {
		v.t.Fatalf("%s at %s: %v", e.Type, v.w.place(), err)
	}
	for _, wrong := range unsound(before, v.w.s, e) {
		v.t.Fatalf("%s at %s: %s", e.Type, v.w.place(), wrong)
	}
	v.note(before, e)
	v.sound()
	v.inOrder(before, e)
}

// note remembers which rows of the table of lanes were met.
func (v *wave) note(before machine.State, e machine.Event) {
	for _, t := range v.w.s.Tasks {
		was, _ := before.Task(t.ID)
		from, to := machine.StepPick, machine.Leave
		if was.Lane != nil {
			from = was.Lane.Step
		}
		if t.Lane != nil {
			to = t.Lane.Step
		}
		if _, ok := machine.Lanes[from][e.Type]; ok && (was.Lane != nil || t.Lane != nil) && (from != to || e.Task == t.ID) {
			v.rows[fmt.Sprintf("%s %s → %s", from, e.Type, to)] = true
		}
	}
}

// sound says what must hold at any moment of a wave.
func (v *wave) sound() {
	s := v.w.s
	var atWork []machine.Task
	agents := 0
	for _, t := range s.Tasks {
		if t.Lane.Busy() || t.Status == machine.TaskRunning && t.Lane == nil {
			atWork = append(atWork, t)
		}
		if dispatching := s.Step != machine.StepValidate && s.Step != machine.StepCommit; t.Lane.Busy() || dispatching && t.Status == machine.TaskRunning && t.Lane == nil {
			agents++
		}
		if failed := len(t.Failures()); failed > s.RetryBudget.MaxAttempts+1 {
			v.t.Fatalf("%s failed %d times", t.ID, failed)
		}
		if (t.Status == machine.TaskRunning || t.Lane != nil) && !isReady(s.Tasks, t) {
			v.t.Fatalf("%s is at work before what it depends on", t.ID)
		}
	}
	for i, a := range atWork {
		for _, b := range atWork[i+1:] {
			if machine.Meet(a, b) || isAlone(a) || isAlone(b) {
				v.t.Fatalf("%s and %s are at work at once", a.ID, b.ID)
			}
		}
	}
	v.workers = max(v.workers, max(1, s.Parallel)) // those that were at work before a stop go on
	if agents > v.workers {
		v.t.Fatalf("%d agents are at work, %d may be", agents, v.workers)
	}
	v.most = max(v.most, len(atWork))
}

// play goes on to the end of EXECUTE, or to where no task can run any more.
func (v *wave) play() {
	for n := 0; v.w.s.CurrentState == machine.Execute; n++ {
		if n > 2000 {
			v.t.Fatalf("no end: %s", v.w.place())
		}
		step := machine.Next(v.w.s)
		if step.Stuck {
			return
		}
		var moves []func()
		for _, id := range machine.Startable(v.w.s) {
			moves = append(moves, func() { v.start(id) })
		}
		for _, t := range v.w.s.Tasks {
			if t.Lane.Busy() {
				moves = append(moves, func() { v.inLane(t) })
			}
		}
		if step.Name != machine.StepLanes {
			moves = append(moves, func() { v.inTree(step) })
		}
		if len(moves) == 0 {
			v.t.Fatalf("nothing can happen: %s", v.w.place())
		}
		if v.w.s.Parallel > 1 && rapid.IntRange(0, 40).Draw(v.t, "stopped") == 0 { // and resumed, with more workers or fewer
			v.must(machine.Event{Type: machine.RunStarted, Parallel: rapid.IntRange(1, 4).Draw(v.t, "workers")})
			continue
		}
		rapid.SampledFrom(moves).Draw(v.t, "move")()
	}
}

func (v *wave) start(id string) {
	if t, _ := v.w.s.Task(id); t.Lane == nil {
		v.bases[id] = maps.Clone(v.files)
	}
	v.must(machine.Event{Type: machine.TaskStarted, Task: id, Base: "c1", Lane: &machine.Lane{Dir: id, Branch: id}})
}

func (v *wave) inLane(t machine.Task) {
	step := machine.InLane(v.w.s, t)
	is, flying := step.Dispatching()
	if f := v.fates[t.ID]; f.unready == string(step.Name) && !v.asked[t.ID+" setup"] {
		v.asked[t.ID+" setup"] = true
		if !v.w.s.PauseDue(1) {
			f.asks = machine.GateBlocked
		}
		v.must(machine.Event{Type: machine.GateRaised, Kind: f.asks, Task: t.ID, Detail: "the setup failed"})
		if held, _ := v.w.s.Task(t.ID); held.Lane.Busy() {
			v.t.Fatalf("%s goes on without an answer", t.ID)
		}
		return
	}
	switch {
	case flying:
		v.must(v.ended(t, t.Lane.Flight))
	case is:
		v.must(machine.Event{Type: machine.Dispatched, Dispatch: &machine.Dispatch{ID: fmt.Sprintf("l%d", v.w.s.Revision), Persona: step.Persona, Task: t.ID, Attempt: step.Attempt}})
	case step.Name == machine.StepRollback:
		v.must(machine.Event{Type: machine.RolledBack, Task: t.ID})
	default:
		f := v.fates[t.ID]
		passes := v.tries[t.ID] >= f.failures-f.merged
		if v.loses(t, machine.StepValidate, passes) {
			v.must(machine.Event{Type: machine.RolledBack, Task: t.ID})
			return
		}
		v.must(v.validated(t, passes || f.lost == machine.StepCommit))
	}
}

// loses says whether the working tree of a lane is gone at a step. The third time an attempt is spent, and that only where
// it would have failed anyway.
func (v *wave) loses(t machine.Task, at machine.StepName, passes bool) bool {
	lost := v.fates[t.ID].lost == at && (!passes || t.Lost == 0)
	if lost && !passes && t.Lost == maxInterruptions-1 {
		v.tries[t.ID]++
	}
	return lost
}

func (v *wave) ended(t machine.Task, d *machine.Dispatch) machine.Event {
	end := &machine.Ended{ID: d.ID, Outcome: machine.OutcomeReply, Reply: &machine.Reply{Status: "done", Summary: "did it"}}
	f := v.fates[t.ID]
	end.Warned = f.unproven && f.warned
	switch {
	case rapid.IntRange(0, 9).Draw(v.t, "cut off") == 0 && t.Cuts < 2:
		end = &machine.Ended{ID: d.ID, Outcome: machine.OutcomeInterrupted}
	case d.Persona != "executor":
	case f.crashes && v.tries[t.ID] < f.failures-f.merged:
		v.tries[t.ID]++
		return machine.Event{Type: machine.DispatchEnded, Ended: &machine.Ended{ID: d.ID, Outcome: machine.OutcomeCrashed}, Rollback: rapid.Bool().Draw(v.t, "rollback")}
	case t.Lane != nil && v.loses(t, machine.StepReply, v.tries[t.ID] >= f.failures-f.merged):
		end.Lost = true
	case v.fates[t.ID].blocked && !v.asked[t.ID]:
		v.asked[t.ID], end.Reply = true, &machine.Reply{Status: "blocked", Blocker: "may I?"}
	}
	return machine.Event{Type: machine.DispatchEnded, Ended: end}
}

func (v *wave) validated(t machine.Task, passes bool) machine.Event {
	e := machine.Event{Type: machine.Validated, Task: t.ID, Checks: []machine.Check{check(machine.CheckPassed)}}
	for _, f := range v.fates[t.ID].stray {
		e.Findings = append(e.Findings, machine.Finding{Severity: machine.Important, File: f, Title: "outside of what the plan announced", Source: "integrity"})
	}
	if v.fates[t.ID].unproven {
		e.Findings = append(e.Findings, words{"unproven=A"}.findings("integrity")...)
	}
	if v.fates[t.ID].missing && !v.asked[t.ID+" check"] {
		v.asked[t.ID+" check"], e.Checks = true, []machine.Check{check(machine.CheckCouldNot)}
		return e
	}
	if !passes {
		v.tries[t.ID]++
		e.Checks, e.Rollback = []machine.Check{check(machine.CheckFailed)}, rapid.Bool().Draw(v.t, "rollback")
	}
	return e
}

func (v *wave) inTree(step machine.Step) {
	t, _ := v.w.s.Task(step.Task)
	switch {
	case step.Name == machine.StepAsk:
		v.must(machine.Event{Type: machine.Drained})
	case step.Name == machine.StepWait:
		v.must(machine.Event{Type: machine.Answered, Answer: &machine.Answer{Gate: v.w.s.Gate.ID, Option: v.w.s.Gate.Options[0].Name, Reason: "yes", By: "human"}})
	case step.Bring:
		v.bring(t)
	case step.Name == machine.StepValidate:
		v.must(v.validated(t, v.tries[t.ID] >= v.fates[t.ID].failures))
	case step.Name == machine.StepReply:
		v.must(v.ended(t, v.w.s.InFlight[0].Dispatch))
	case step.Name == machine.StepCommit && len(v.w.s.InFlight) > 0:
		v.commit(t)
	default:
		v.must(smooth(v.w.s))
	}
}

func (v *wave) touched(t machine.Task) []string {
	return slices.Concat(t.Files, t.Owns, t.ChangesTests, v.fates[t.ID].stray)
}

func (v *wave) bring(t machine.Task) {
	if f := v.fates[t.ID]; t.Status != machine.TaskFailed && v.loses(t, machine.StepCommit, v.tries[t.ID] >= f.failures-f.merged) {
		v.must(machine.Event{Type: machine.RolledBack, Task: t.ID})
		return
	}
	e := machine.Event{Type: machine.TaskBrought, Task: t.ID, Base: "c2"}
	for _, f := range v.touched(t) {
		if v.files[f] != v.bases[t.ID][f] {
			e.Conflicts = append(e.Conflicts, f)
		}
	}
	v.must(e)
}

func (v *wave) commit(t machine.Task) {
	for _, f := range v.touched(t) {
		v.files[f] += " " + t.ID
	}
	v.must(machine.Event{Type: machine.EffectDone, Commit: "c" + t.ID})
}

func (v *wave) result() string {
	out := string(v.w.s.CurrentState)
	for _, t := range v.w.s.Tasks {
		out += fmt.Sprintf(" %s %s %d", t.ID, t.Status, len(t.Failures()))
		if t.Status == machine.TaskCompleted && t.Unproven != v.fates[t.ID].unproven {
			v.t.Fatalf("%s is completed, unproven: %t", t.ID, t.Unproven)
		}
	}
	asking := slices.ContainsFunc(v.w.s.Tasks, func(t machine.Task) bool {
		f := v.fates[t.ID]
		return f.blocked || f.missing || f.unready != ""
	})
	for f, writers := range v.files {
		if strings.HasPrefix(f, "go.") && asking { // what no plan announces: nobody waits for a task that waits for a human
			list := strings.Fields(writers)
			slices.Sort(list)
			v.files[f] = strings.Join(list, " ")
		}
	}
	return out + fmt.Sprint(v.files)
}

// TestWavesEndAsTasksOneByOneDo: whatever fails or is cut off, and however many may be at work, no two tasks that meet
// are at work at once, none before what it depends on, and the outcome is that of one task after the other.
func TestWavesEndAsTasksOneByOneDo(t *testing.T) {
	rows, most := map[string]bool{}, 0
	walk := func(t *rapid.T) {
		tasks, fates := someTasks(t)
		one := newWave(t, tasks, fates, 1)
		one.play()
		many := newWave(t, tasks, fates, rapid.IntRange(2, 4).Draw(t, "parallel"))
		many.play()
		if one.result() != many.result() {
			t.Fatalf("one by one: %s\nin waves:   %s", one.result(), many.result())
		}
		maps.Copy(rows, many.rows)
		most = max(most, many.most)
	}
	// A hundred walks now and then miss a rare row.
	for range 10 {
		rapid.Check(t, walk)
		if len(missedRows(rows)) == 0 {
			break
		}
	}
	if most < 3 {
		t.Errorf("never more than %d tasks were at work at once", most)
	}
	if missing := missedRows(rows); len(missing) > 0 {
		t.Errorf("no walk met %s", strings.Join(missing, "; "))
	}
}

// missedRows lists the rows of the table of lanes that no walk met. Any step may ask.
func missedRows(rows map[string]bool) []string {
	var missing []string
	for from, events := range machine.Lanes {
		for event, tos := range events {
			for _, to := range tos {
				if name := fmt.Sprintf("%s %s → %s", from, event, to); !rows[name] && event != machine.GateRaised {
					missing = append(missing, name)
				}
			}
		}
	}
	return missing
}
