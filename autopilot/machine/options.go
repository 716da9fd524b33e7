package machine

import "strconv"

// The effects of options beside the edges of the state table: what an answer does inside a state.
const (
	EffectStop    = "stop"    // the session is saved and the process ends; the gate stays open
	EffectRetry   = "retry"   // the step that the gate interrupted is done again
	EffectFind    = "find"    // look for the plan
	EffectApprove = "approve" // the skeleton is good: dispatch the full plan
	EffectPass    = "pass"    // the checkpoint is passed
	EffectChoose  = "choose"  // the checkpoint's decision
	EffectRedoFix = "task_fix"
	EffectRescue  = "rescue"  // what a human fixed is validated
	EffectRecheck = "recheck" // what a human fixed is committed and checked again
	EffectKeep    = "keep"
	EffectAdopt   = "adopt" // what is there is taken as done
	EffectRepeat  = "repeat"
	EffectGoOn    = "go_on"    // unverified, until the command first passes
	EffectUnpause = "dispatch" // the dispatches go on
	EffectAfresh  = "afresh"   // the task has all its attempts once more
	EffectDrop    = "drop"     // the phase goes on without the task
)

func option(name, effect, label string) Option {
	return Option{Name: name, Effect: effect, Label: label}
}

func withReason(name, effect, label string) Option {
	return Option{Name: name, Effect: effect, Label: label, WantsReason: true}
}

func withHint(name, effect, label string) Option {
	return Option{Name: name, Effect: effect, Label: label, TakesReason: true}
}

// Stop is the option that every gate has: it is no answer but the wish to end the run and leave the question open.
const Stop = "stop"

var stopOption = option(Stop, EffectStop, "save and leave the question open")

// GateOptions is the table of what each kind of gate takes (checkpoints and blocked dispatches vary: CheckpointOptions,
// BlockedOptions, YourTurnOptions).
var GateOptions = map[GateKind][]Option{
	GateSpecChanged: {
		option("keep", EffectKeep, "keep what is finished, read the rest anew"),
		option("redo", string(Redo), "do a finished phase again"), stopOption,
	},
	GatePlanWanted: {
		option("done", EffectFind, "the plan is there"),
		withReason("skip", string(PhaseSkipped), "leave this phase out"), stopOption,
	},
	GateApproveSkeleton: {
		option("yes", EffectApprove, "go on to the full plan"),
		withReason("revise", string(Revise), "say what to change"),
		withReason("skip", string(PhaseSkipped), "leave this phase out"), stopOption,
	},
	GateApprovePlan: {
		option("yes", string(Approved), "run the plan"),
		withReason("revise", string(Revise), "say what to change"),
		withReason("skip", string(PhaseSkipped), "leave this phase out"), stopOption,
	},
	GateTasksExhausted: {
		option("continue", EffectRescue, "fixed by hand: check and commit it"),
		withHint("retry", EffectAfresh, "try again, with all attempts; a reason goes to the agent"),
		withReason("skip", EffectDrop, "go on without the task; the phase counts as failed"),
		withReason("revise", string(Revise), "plan the phase anew"), stopOption,
	},
	GateAlreadyDone: {
		option("skip", EffectAdopt, "already done: complete it without a commit"),
		withHint("retry", EffectRepeat, "try again; a reason goes to the agent"), stopOption,
	},
	GateLargeChange: {
		option("commit", EffectCommit, "commit them with the task"),
		option("ignore", EffectIgnore, "add them to .gitignore, and commit that with the task"),
		option("discard", EffectDiscard, "take them out of the working tree"), stopOption,
	},
	GateDirtyOverlap: {option("done", EffectRetry, "my changes are committed"), stopOption},
	GateVerifyFailed: {
		option("fix", string(Fix), "have the findings fixed"),
		option("continue", EffectRecheck, "fixed by hand: commit it and check again"),
		withReason("skip", string(VerificationSkipped), "go on, recorded as not verified"), stopOption,
	},
	GateBaselineRed: {withReason("continue", EffectGoOn, "go on unverified until it first passes"), stopOption},
	GateReviewBlocking: {
		option("fix", string(Fix), "have the findings fixed"),
		option("continue", EffectRecheck, "fixed by hand: commit it and check again"),
		withReason("override", string(Overridden), "go on in spite of the findings"), stopOption,
	},
	GateFinalBlocking: {
		option("fix", string(Fix), "have the findings fixed"),
		option("continue", EffectRecheck, "fixed by hand: commit it and check again"),
		withReason("override", string(Overridden), "finish in spite of the findings"), stopOption,
	},
	GateEffectUnclear: {
		option("adopt", EffectAdopt, "take what is there as done"),
		option("repeat", EffectRepeat, "do it again"), stopOption,
	},
	GateContinue: {option("yes", string(NextPhase), "go on"), option("fix", string(Fix), "have the important findings fixed first"), stopOption},
	GatePause:    {option("continue", EffectUnpause, "go on, until the next pause"), stopOption},
}

// BlockedOptions are the options of a dispatch or a check that cannot go on, by the state it stands in.
func BlockedOptions(state Name) []Option {
	retry := withHint("retry", EffectRetry, "try again; a reason goes to the agent")
	switch state {
	case Plan:
		return []Option{retry, withReason("skip", string(PhaseSkipped), "leave this phase out"), stopOption}
	case Verify:
		return []Option{retry, withReason("skip", string(VerificationSkipped), "go on, recorded as not verified"), stopOption}
	case Review, FinalReview:
		return []Option{retry, withReason("skip", string(Overridden), "go on without this review"), stopOption}
	case Execute:
		return []Option{retry, withReason("revise", string(Revise), "plan the phase anew"), stopOption}
	}
	return []Option{retry, stopOption}
}

// YourTurnOptions are the options of a dispatch that waits for a person, by the state that it is in.
func YourTurnOptions(state Name) []Option {
	done := option(HandIn, EffectRetry, "the work is done: hand in a summary of it, or the reply file")
	return append([]Option{done}, BlockedOptions(state)...)
}

// CheckpointOptions are the options of a checkpoint of a kind; the choices are a decision's own.
func CheckpointOptions(kind string, choices ...string) []Option {
	switch kind {
	case CheckpointAction:
		return []Option{option("done", EffectPass, "it is done"), stopOption}
	case CheckpointVerify:
		return []Option{option("yes", EffectPass, "it is right"), withReason("fix", EffectRedoFix, "say what is wrong"), stopOption}
	}
	var options []Option
	for n, text := range choices {
		options = append(options, option(strconv.Itoa(n+1), EffectChoose, text))
	}
	return append(options, stopOption)
}

// Offer is what a kind of gate is for and which answers it takes, as the documentation shows it.
type Offer struct {
	Kind    GateKind
	When    string // what leads to it, for people
	Options []Option
}

// Offers lists every kind of gate in the order in which a run may meet it. A checkpoint stands once for each of its
// kinds; option 1 stands for all the choices of a decision, which are the plan's own.
func Offers() []Offer {
	of := func(kind GateKind, when string) Offer {
		return Offer{Kind: kind, When: when, Options: GateOptions[kind]}
	}
	checkpoint := func(kind, when string) Offer {
		return Offer{Kind: GateCheckpoint, When: when, Options: CheckpointOptions(kind, "a choice of the plan")}
	}
	return []Offer{
		of(GateSpecChanged, "a finished phase of the spec was changed, moved or removed"),
		of(GateBaselineRed, "a validation command cannot start or ran out of time before the work, or was red then and names no tests"),
		of(GatePlanWanted, "the plan is yours to make: the phase is of high complexity, or you wanted to"),
		of(GateApproveSkeleton, "thorough: the outline of a plan is there"),
		of(GateApprovePlan, "a plan is there, and a signal (or thorough, or --review-plans) wants a human to read it"),
		{GateNoOutput, "two dispatches in a row brought nothing usable, or the planner left several plans", inAnyState(BlockedOptions)},
		{GateBlocked, "an agent is blocked, a check cannot start, or a commit is refused", inAnyState(BlockedOptions)},
		{GateBlocked, "it is your turn to do the work of a persona (backend manual)", inAnyState(YourTurnOptions)},
		of(GateDirtyOverlap, "a task names a file that you have changed and not committed"),
		checkpoint(CheckpointDecision, "the plan wants you to decide before a task"),
		checkpoint(CheckpointAction, "the plan wants you to do something before a task"),
		checkpoint(CheckpointVerify, "the plan wants you to look at a task's commit"),
		of(GateAlreadyDone, "a task changed nothing, and its own validation passed before it, too"),
		of(GateLargeChange, "a task leaves a file over 10 MB, or more than 500 new files, that no task of the plan names"),
		of(GateTasksExhausted, "a task failed with all its retries, and nothing else can run"),
		of(GateVerifyFailed, "the commands or the verifier say no, or there is nothing to run"),
		of(GateReviewBlocking, "the review of a phase has findings that block"),
		of(GateContinue, "a phase is complete"),
		of(GateFinalBlocking, "the final review has findings that block"),
		of(GatePause, "you paused the run, or as many dispatches were made as --pause-every says"),
		of(GateEffectUnclear, "a commit was begun before the stop, and HEAD moved on since"),
	}
}

// inAnyState are the options of a dispatch that cannot go on in any state, each once, stop last.
func inAnyState(options func(Name) []Option) []Option {
	var all []Option
	seen := map[string]bool{Stop: true}
	for _, state := range Names {
		for _, o := range options(state) {
			if !seen[o.Name] {
				seen[o.Name] = true
				all = append(all, o)
			}
		}
	}
	return append(all, stopOption)
}
