package view

import (
	"fmt"
	"slices"

	"autopilot/autopilot/machine"
)

// phasesOf are the phases of the spec, with their tasks: those of earlier ones as the journal has them.
func phasesOf(f Facts) []Phase {
	s := f.State
	phases := make([]Phase, len(s.Phases))
	for i, p := range s.Phases {
		row := Phase{Phase: p, Position: i + 1, Verified: p.Verification, Tasks: f.tasksOf(i + 1), Left: machine.Register{}}
		for _, h := range s.History {
			if h.Phase != i || !p.Over() { // one that is done again has an entry of before
				continue
			}
			row.Outcome, row.Retries, row.Verified = h.Outcome, h.RetriesUsed, h.VerificationPassed
			if !h.CompletedAt.IsZero() {
				ended := h.CompletedAt
				row.Ended = &ended
			}
		}
		if row.Ended == nil {
			for _, t := range row.Tasks {
				row.Retries += max(0, len(t.Attempts)-1)
			}
		}
		for _, e := range s.Register.Left() {
			if e.Phase == i+1 {
				row.Left = append(row.Left, e)
			}
		}
		if i+1 == positionOf(s) {
			row.Spent.Seconds += f.running()
		}
		row.Steps = stepsOf(s, i, row)
		phases[i] = row
	}
	return phases
}

// stepsOf is the strip of a phase: plan, build, check, review.
func stepsOf(s machine.State, i int, p Phase) []PhaseStep {
	steps := []PhaseStep{{Name: "plan"}, {Name: "build"}, {Name: "check"}, {Name: "review"}}
	at := map[machine.Name]int{machine.Plan: 0, machine.Assess: 0, machine.ApprovePlan: 0, machine.Execute: 1, machine.Verify: 2, machine.Review: 3, machine.PhaseComplete: 4}
	now, isNow := at[s.CurrentState]
	isNow = isNow && i == s.CurrentPhase && !p.Over()
	for n := range steps {
		switch {
		case p.Status == machine.PhaseSkip:
			steps[n].Mark = Skipped
		case p.Status == machine.PhaseDone, isNow && n < now:
			steps[n].Mark = Passed
		case isNow && n == now && s.Gate != nil:
			steps[n].Mark = Asking
		case isNow && n == now:
			steps[n].Mark = Active
		default:
			steps[n].Mark = Pending
		}
	}
	if p.Status == machine.PhaseDone && p.Verified == nil {
		steps[2].Mark = Skipped
	} else if p.Status == machine.PhaseDone && !*p.Verified {
		steps[2].Mark = Broken
	}
	if len(p.Tasks) > 0 {
		done := len(slices.DeleteFunc(slices.Clone(p.Tasks), func(t Task) bool { return t.Mark != Passed }))
		steps[1].Count = fmt.Sprintf("%d/%d", done, len(p.Tasks))
	}
	return steps
}

// tasksOf are the tasks of a phase by its position; 0 is the final review.
func (f Facts) tasksOf(position int) []Task {
	s, tasks := f.State, []machine.Task(nil)
	if f.Past != nil {
		tasks = f.Past.tasks[position]
	}
	switch {
	case position == positionOf(s):
		tasks = s.Tasks
	case position > 0 && position <= len(s.Phases) && !s.Phases[position-1].Over(): // of before an undo
		tasks = nil
	}
	shown := []Task{}
	for n, t := range tasks {
		shown = append(shown, f.taskOf(position, n+1, t, tasks))
	}
	return shown
}

var taskMarks = map[string]Mark{
	machine.TaskPending: Pending, machine.TaskRunning: Active, machine.TaskCompleted: Passed, machine.TaskFailed: Broken, machine.TaskSkipped: Skipped,
}

func (f Facts) taskOf(position, n int, t machine.Task, all []machine.Task) Task {
	row := Task{
		N: n, ID: t.ID, Title: t.Title, Kind: t.Kind, Files: append([]string{}, t.Files...), After: waits(all, t), Mark: taskMarks[t.Status],
		Attempts: []Attempt{}, Limit: limitOf(f.State, t), Commit: t.Commit, Seconds: t.Spent.Seconds, USD: t.Spent.CostUSD, Lane: t.Lane != nil, Unproven: t.Unproven, Summary: t.Summary,
		Diagnosis: t.Diagnosis,
	}
	var known []Attempt
	if f.Past != nil {
		known = f.Past.attempts[key{position, t.ID}]
	}
	for i, a := range t.Attempts {
		at := Attempt{N: i + 1, End: a.Timestamp, Mark: Passed, Error: a.Error, Summary: a.Fix}
		if a.Result == "failed" {
			at.Mark = Broken
		}
		if i < len(known) {
			k := known[i]
			at.Start, at.Checks, at.Output, at.OutputSHA256, at.Dispatch, at.USD = k.Start, k.Checks, k.Output, k.OutputSHA256, k.Dispatch, k.USD
		}
		row.Attempts = append(row.Attempts, at)
	}
	if row.Mark == Active || t.Lane.Busy() {
		at := Attempt{N: len(row.Attempts) + 1, Mark: Active}
		if len(known) > len(t.Attempts) {
			k := known[len(t.Attempts)]
			at.Start, at.Checks, at.Dispatch = k.Start, k.Checks, k.Dispatch
		}
		row.Mark, row.Attempts = Active, append(row.Attempts, at)
	}
	return row
}
