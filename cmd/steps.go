package cmd

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/cmd/console"
)

// stepWords say for people what a session does at a step.
var stepWords = map[machine.StepName]string{
	machine.StepBranch:           "making the branch",
	machine.StepBaseline:         "running the checks before any change",
	machine.StepLook:             "looking for the phase's plan",
	machine.StepAwait:            "waiting for your plan",
	machine.StepSkeleton:         "planning in outline",
	machine.StepSkeletonReply:    "planning in outline",
	machine.StepPlan:             "planning",
	machine.StepPlanReply:        "planning",
	machine.StepFind:             "reading the plan",
	machine.StepWeigh:            "weighing the plan",
	machine.StepPlanCommit:       "committing the plan",
	machine.StepPick:             "choosing the next task",
	machine.StepDiagnose:         "finding out why the task fails",
	machine.StepDiagnosis:        "finding out why the task fails",
	machine.StepDispatch:         "working on the task",
	machine.StepReply:            "working on the task",
	machine.StepValidate:         "checking the task",
	machine.StepCommit:           "committing the task",
	machine.StepRollback:         "rolling the task back",
	machine.StepCheckpointCommit: "committing what the checkpoint was about",
	machine.StepRecoveryCommit:   "committing unfinished work",
	machine.StepRescue:           "checking what was fixed by hand",
	machine.StepHumanCommit:      "committing what was fixed by hand",
	machine.StepCommands:         "running the checks",
	machine.StepClean:            "running the checks in a clean working tree",
	machine.StepBlind:            "reading the spec alone",
	machine.StepBlindReply:       "reading the spec alone",
	machine.StepBlindChecks:      "running the blind checks",
	machine.StepVerifier:         "verifying",
	machine.StepVerifierReply:    "verifying",
	machine.StepReview:           "reviewing",
	machine.StepReviewReply:      "reviewing",
	machine.StepRecord:           "recording the end of the phase",
	machine.StepContinue:         "at the end of the phase",
	machine.StepClose:            "writing the summary",
	machine.StepClosed:           "closed",
}

func stepText(step machine.StepName) string { return cmp.Or(stepWords[step], string(step)) }

// lasting says for how long something goes on: "for 4 min".
func lasting(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("for %d s", max(0, int(d.Seconds())))
	}
	return fmt.Sprintf("for %d min", int(d.Minutes()))
}

// answeredSince says what was answered after the last run ended; "" is nothing.
func answeredSince(s machine.State, end time.Time) string {
	n := len(s.Decisions)
	if n == 0 || s.Gate != nil || s.Decisions[n-1].Gate == "" || !s.Decisions[n-1].Timestamp.After(end) {
		return ""
	}
	_, option, _ := strings.Cut(s.Decisions[n-1].Decision, ": ")
	return fmt.Sprintf("answered %s; run to go on", option)
}

// tasksOf are the tasks of a phase: those of the state, where it has them, else as its file in the session's folder shows them.
func tasksOf(s machine.State, i int, folder string) []machine.Task {
	if here := i == s.CurrentPhase && s.CurrentState != machine.FinalReview && s.CurrentState != machine.Done; here {
		return s.Tasks
	}
	var file struct {
		Tasks []struct{ ID, Title, Status string }
	}
	if folder == "" || !s.Phases[i].Over() || plainfile.ReadJSON(filepath.Join(folder, fmt.Sprintf("phase-%d-tasks.json", i+1)), &file) != nil {
		return nil
	}
	var tasks []machine.Task
	for _, t := range file.Tasks {
		tasks = append(tasks, machine.Task{ID: t.ID, Title: t.Title, Status: t.Status})
	}
	return tasks
}

func taskLine(t machine.Task, width int) string {
	return console.Wrapped(fmt.Sprintf("    %s %-11s %s", t.ID, t.Status, console.Clean(t.Title)+attemptsText(t)+laneText(t)), width, 26) + "\n"
}
