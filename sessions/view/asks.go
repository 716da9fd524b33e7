package view

import (
	"fmt"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
)

func quoted(spec string) string { return shell.QuotePath(spec) }

// ask is a kind of question in words.
type ask struct {
	do    string // what a person is to do, in a list: approve the plan of phase 2 (Rule engine)
	state string // where things stand: the plan is ready
	ask   string // the question: Approve this plan?
	why   string // why a person is asked, where nothing else tells
}

// asked says an open question in a person's words.
func asked(s machine.State, g machine.Gate) ask {
	phase := phaseName(s, g.Phase)
	task := taskName(s, g.Task)
	p, _ := phaseOf(s)
	switch g.Kind {
	case machine.GateSpecChanged:
		return ask{"keep or redo phases that are done: the spec changed there", "the spec changed in phases that are done", "Keep their work, or redo one?", ""}
	case machine.GateBaselineRed:
		return ask{"go on although checks fail without any change?", "checks fail without any change", "Go on without them?", ""}
	case machine.GatePlanWanted:
		return ask{"write the plan of " + phase, "the plan is yours to write", "Have you saved the plan?", yours(p)}
	case machine.GateApproveSkeleton:
		return ask{"approve the outline of " + phase, "the outline of the plan is ready", "Approve this outline?", ""}
	case machine.GateApprovePlan:
		if g.IsRefused("yes") {
			return ask{"change the plan of " + phase + ", which can't be run", "the plan can't be run", "What should change?", g.Refused[0].Why}
		}
		return ask{"approve the plan of " + phase, "the plan is ready", "Approve this plan?", ""}
	case machine.GateContinue:
		next, _ := following(s)
		return ask{"start " + next + "?", lastOutcome(s), "Start " + next + "?", ""}
	case machine.GatePause:
		return ask{"go on after the pause?", "paused", "Go on?", paused(s, g)}
	case machine.GateEffectUnclear:
		return ask{"check whether the last commit was made", "a commit was cut off", "Was the last commit made?", ""}
	case machine.GateCheckpoint:
		return checkpointAsk(s, g, task)
	case machine.GateVerifyFailed:
		if strings.HasPrefix(g.Question, "The verifier") {
			return ask{"the verifier rejected " + phase, "the verifier rejected it", "How do you want to continue?", ""}
		}
		return ask{"checks of " + phase + " failed", "checks failed", "How do you want to continue?", ""}
	case machine.GateReviewBlocking, machine.GateFinalBlocking:
		return blockingAsk(s, g, phase)
	}
	return stuckAsk(s, g, phase, task)
}

// stuckAsk are the questions about a task, or about somebody who cannot go on.
func stuckAsk(s machine.State, g machine.Gate, phase, task string) ask {
	of := phase
	if g.State == machine.FinalReview {
		of = "the final review"
	}
	if g.Task != "" {
		of = task
	}
	switch g.Kind {
	case machine.GateTasksExhausted:
		t, _ := s.Task(g.Task)
		if n := len(t.Failures()); n > 0 {
			return ask{fmt.Sprintf("%s failed %s", task, machine.Plural(n, "time", "times")), fmt.Sprintf("%s failed %d of %d attempts", task, n, s.RetryBudget.MaxAttempts+1+t.Extra), "How do you want to continue?", ""}
		}
		return ask{"no task of " + phase + " can run", "no task can run", "How do you want to continue?", ""}
	case machine.GateAlreadyDone:
		return ask{"is " + task + " already done?", task + " changed nothing, and its check passed before, too", "Is it already done?", ""}
	case machine.GateLargeChange:
		return ask{"commit the large change of " + task + "?", task + " leaves large files", "Commit them?", firstSentence(g.Question)}
	case machine.GateDirtyOverlap:
		return ask{"commit your changes, which " + task + " needs", task + " changes files in which you have uncommitted changes", "Are your changes committed?", ""}
	case machine.GateNoOutput:
		if strings.HasPrefix(g.Question, "There are several plans") {
			return ask{"choose the plan of " + phase, "there are several plans", "Which one is it?", ""}
		}
		return ask{"the agent gave no usable result twice in " + of, "the agent gave no usable result twice", "How do you want to continue?", bracketed(g.Question)}
	}
	if g.YourTurn != nil {
		what := strings.TrimPrefix(g.Question, "Your turn: ")
		if g.Task != "" {
			what = "do " + task
		}
		return ask{what, "your turn", Capital(strings.TrimSuffix(what, ".")) + ".", ""}
	}
	return ask{of + " is blocked", "blocked", "How do you want to continue?", g.Question}
}

func checkpointAsk(s machine.State, g machine.Gate, task string) ask {
	at := fmt.Sprintf("task %d", numberOf(s.Tasks, g.Task))
	if numberOf(s.Tasks, g.Task) == 0 {
		at = "a task"
	}
	text := strings.TrimSuffix(g.Question, " Is it right?")
	if _, after, found := strings.Cut(text, ": "); found && strings.HasPrefix(text, "Before task") {
		text = after
	}
	switch first := g.Options[0]; {
	case first.Effect == machine.EffectChoose:
		return ask{"decide before " + task, "decision before " + task, text, ""}
	case first.Name == "done":
		return ask{"do something before " + task, "before " + task + ", do this", text, ""}
	}
	if _, what, found := strings.Cut(text, " is committed. Please look: "); found {
		text = "the plan wants you to look: " + what
	}
	return ask{"look at " + task, at + " is committed", "Is it right?", text}
}

// blockingAsk are the questions about findings of a review.
func blockingAsk(s machine.State, g machine.Gate, phase string) ask {
	found, of := "the review found ", "the review of "+phase+" found "
	findings := s.FinalReview.Findings
	if p, _ := phaseOf(s); g.Kind == machine.GateReviewBlocking {
		findings = p.Findings
	} else {
		found, of = "it found ", "the final review found "
	}
	n := len(machine.Blocking(findings, s.RigorLevel))
	what := machine.Plural(n, "problem that blocks", "problems that block")
	return ask{of + what, found + what, "How do you want to continue?", ""}
}

// following is what comes after a phase that is over, and what a person has to know of it before.
func following(s machine.State) (next, note string) {
	for i, p := range s.Phases {
		if p.Over() {
			continue
		}
		if p.PlanPath == "" && (p.Complexity == machine.High || p.PlanWanted) {
			note = "you write its plan: " + yours(p)
		}
		return phaseName(s, i), note
	}
	return "the final review", ""
}

// yours says why a plan is a person's.
func yours(p machine.Phase) string {
	if p.Complexity == machine.High {
		return "the phase is high complexity"
	}
	return "you wanted to write it"
}

// bracketed is what a question has in brackets: why nothing usable came.
func bracketed(question string) string {
	_, why, found := strings.Cut(question, "(")
	if end := strings.LastIndex(why, ")"); found && end > 0 {
		return why[:end]
	}
	return question
}

// paused says why a run paused.
func paused(s machine.State, g machine.Gate) string {
	if n := s.Usage.Dispatches - s.PausedAt; strings.HasPrefix(g.Question, "A pause, as wished: ") {
		return machine.Plural(n, "agent run", "agent runs") + " since the last pause or the start"
	}
	return firstSentence(g.Question)
}

// lastOutcome sums up the phase that is just over: done (3 tasks, 1 retry).
func lastOutcome(s machine.State) string {
	if len(s.History) == 0 {
		return "done"
	}
	h := s.History[len(s.History)-1]
	if h.Outcome == "skipped" {
		return "skipped"
	}
	text := machine.Plural(h.TasksCompleted, "task", "tasks")
	if h.RetriesUsed > 0 {
		text += ", " + machine.Plural(h.RetriesUsed, "retry", "retries")
	}
	return "done (" + text + ")"
}

func firstSentence(text string) string {
	first, _, more := strings.Cut(text, ". ")
	if more {
		return first + "."
	}
	return text
}
