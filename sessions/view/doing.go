package view

import (
	"cmp"
	"fmt"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
)

// limitOf is how many attempts a task may have.
func limitOf(s machine.State, t machine.Task) int { return s.RetryBudget.MaxAttempts + 1 + t.Extra }

// personaWork is what a persona does where no task is at hand; %s is the phase.
var personaWork = map[string]string{
	"planner": "Planning %s", "planner/skeleton": "Planning %s in outline", "planner/draft": "Drafting the plan of %s",
	"verifier": "Verifying %s", "reviewer": "Reviewing %s", "verifier/blind": "Reading the spec of %s alone",
}

// doing says what is at work: Planning phase 2 (Rule engine); Task 2 of 5 · Parse the rules; Checking task 2 of 5.
func doing(s machine.State, w Work) string {
	n, whole := numberOf(s.Tasks, w.Task), here(s)
	if s.CurrentState == machine.FinalReview {
		whole = "the whole change"
	}
	task := fmt.Sprintf("task %d of %d", n, len(s.Tasks))
	switch {
	case w.Command != "" && n > 0:
		return "Checking " + task
	case w.Command != "" && s.CurrentState == machine.Init:
		return "Checking before any change"
	case w.Command != "":
		return "Checking " + whole
	case w.Persona == "":
		return stepText(s, s.Step)
	case n > 0 && w.Purpose == "diagnosis":
		return "Finding out why " + task + " fails"
	case n > 0:
		return Joined(Capital(task), s.Tasks[n-1].Title)
	case w.Purpose == machine.BlindPurpose:
		return fmt.Sprintf("Reading the spec of %s alone", whole)
	}
	form := cmp.Or(personaWork[w.Persona+"/"+w.Purpose], personaWork[w.Persona])
	if form == "" {
		return fmt.Sprintf("The %s is at work on %s", w.Persona, whole)
	}
	return fmt.Sprintf(form, whole)
}

// limitText names the limit that the last dispatch met.
func limitText(s machine.State) string {
	whose := cmp.Or(s.LimitedBackend, "the backend")
	known, ok := s.LimitOf(s.LimitedBackend)
	switch {
	case ok && known.Outage:
		return whose + " is out of order"
	case s.QuotaUsedUp:
		return "the quota or balance of " + whose + " is used up"
	}
	return "usage limit of " + whose
}

// positionOf is the position of the phase that the state's tasks belong to; 0: they are of the final review.
func positionOf(s machine.State) int {
	if s.CurrentState == machine.FinalReview || s.CurrentState == machine.Done {
		return 0
	}
	return s.CurrentPhase + 1
}

// totals sum up a finished session: 3 phases, 9 tasks, 4:12:00, $7.80.
func totals(s machine.State) string {
	t := machine.TotalsOf(s)
	parts := []string{machine.Plural(t.Phases, "phase", "phases"), machine.Plural(t.Tasks, "task", "tasks"), words.Seconds(t.Seconds)}
	if cost := Dollars(s.Usage.CostUSD); cost != "" {
		parts = append(parts, cost)
	}
	return strings.Join(parts, ", ")
}

// stepWords say for people what a session does at a step that dispatches nobody and belongs to no task.
var stepWords = map[machine.StepName]string{
	machine.StepBranch:           "Making the branch",
	machine.StepBaseline:         "Running the checks before any change",
	machine.StepLook:             "Looking for the plan of %s",
	machine.StepAwait:            "Waiting for your plan of %s",
	machine.StepSkeleton:         "Planning %s in outline",
	machine.StepSkeletonReply:    "Planning %s in outline",
	machine.StepPlan:             "Planning %s",
	machine.StepPlanReply:        "Planning %s",
	machine.StepFind:             "Reading the plan of %s",
	machine.StepWeigh:            "Weighing the plan of %s",
	machine.StepPlanCommit:       "Committing the plan of %s",
	machine.StepPick:             "Choosing the next task of %s",
	machine.StepCheckpointCommit: "Committing what you did in %s",
	machine.StepRecoveryCommit:   "Committing unfinished work of %s",
	machine.StepHumanCommit:      "Committing what you fixed in %s",
	machine.StepCommands:         "Checking %s",
	machine.StepClean:            "Checking %s in a clean working tree",
	machine.StepBlind:            "Reading the spec of %s alone",
	machine.StepBlindReply:       "Reading the spec of %s alone",
	machine.StepBlindChecks:      "Running the blind checks of %s",
	machine.StepVerifier:         "Verifying %s",
	machine.StepVerifierReply:    "Verifying %s",
	machine.StepReview:           "Reviewing %s",
	machine.StepReviewReply:      "Reviewing %s",
	machine.StepRecord:           "Recording the end of %s",
	machine.StepContinue:         "At the end of %s",
	machine.StepClose:            "Writing the summary",
	machine.StepClosed:           "Done",
}

// taskWords are those of a task; %s is the task.
var taskWords = map[machine.StepName]string{
	machine.StepDiagnose:  "Finding out why %s fails",
	machine.StepDiagnosis: "Finding out why %s fails",
	machine.StepValidate:  "Checking %s",
	machine.StepCommit:    "Committing %s",
	machine.StepRollback:  "Undoing the work on %s",
	machine.StepRescue:    "Checking what you fixed in %s",
}

// stepText says what a session does at a step.
func stepText(s machine.State, step machine.StepName) string {
	n := numberOf(s.Tasks, s.CurrentTask)
	if form, ok := taskWords[step]; ok && n > 0 {
		return fmt.Sprintf(form, fmt.Sprintf("task %d of %d", n, len(s.Tasks)))
	}
	if (step == machine.StepDispatch || step == machine.StepReply) && n > 0 {
		return fmt.Sprintf("Task %d of %d%s%s", n, len(s.Tasks), dot, s.Tasks[n-1].Title)
	}
	whole := here(s)
	if s.CurrentState == machine.FinalReview {
		whole = "the whole change"
	}
	form := cmp.Or(stepWords[step], "Working on %s")
	if !strings.Contains(form, "%s") {
		return form
	}
	return fmt.Sprintf(form, whole)
}
