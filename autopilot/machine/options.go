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

var (
	stopOption   = option(Stop, EffectStop, "save and exit; the question stays open")
	skipPhase    = withReason("skip", string(PhaseSkipped), "skip this phase")
	planAgain    = withReason("revise", string(Revise), "plan the phase again with your comments")
	sendBack     = withReason("revise", string(Revise), "send it back to the planner with your comments")
	unverified   = withReason("skip", string(VerificationSkipped), "continue; recorded as not verified")
	fixFindings  = option("fix", string(Fix), "have the executor fix it, then check and review again")
	fixedByHand  = option("continue", EffectRecheck, "I fixed it myself: commit my changes, check and review again")
	overrideThem = withReason("override", string(Overridden), "continue anyway; recorded with your reason")
)

// GateOptions is the table of what each kind of gate takes (checkpoints and blocked dispatches vary: CheckpointOptions,
// BlockedOptions, YourTurnOptions).
var GateOptions = map[GateKind][]Option{
	GateSpecChanged: {
		option("keep", EffectKeep, "keep what is finished, and read the rest again"),
		option("redo", string(Redo), "run a finished phase again"), stopOption,
	},
	GatePlanWanted:      {option("done", EffectFind, "use the plan that I saved"), skipPhase, stopOption},
	GateApproveSkeleton: {option("yes", EffectApprove, "have the planner write the whole plan"), sendBack, skipPhase, stopOption},
	GateApprovePlan:     {option("yes", string(Approved), "start working on the tasks"), sendBack, skipPhase, stopOption},
	GateTasksExhausted: {
		option("continue", EffectRescue, "I fixed it myself: check and commit my changes"),
		withHint("retry", EffectAfresh, "try the task again, with all its attempts; a reason goes to the agent"),
		withReason("skip", EffectDrop, "continue without the task; the phase counts as failed"), planAgain, stopOption,
	},
	GateAlreadyDone: {
		option("skip", EffectAdopt, "it is done already: complete the task without a commit"),
		withHint("retry", EffectRepeat, "try again; a reason goes to the agent"), stopOption,
	},
	GateLargeChange: {
		option("commit", EffectCommit, "commit them with the task"),
		option("ignore", EffectIgnore, "add them to .gitignore, and commit that with the task"),
		option("discard", EffectDiscard, "remove them from the working tree"), stopOption,
	},
	GateDirtyOverlap: {option("done", EffectRetry, "I committed or stashed my changes"), stopOption},
	GateVerifyFailed: {
		option("fix", string(Fix), "make a task of each failure"),
		option("continue", EffectRecheck, "I fixed it myself: commit my changes and check again"), unverified, stopOption,
	},
	GateBaselineRed: {
		option("retry", EffectRetry, "run the commands again"),
		withReason("continue", EffectGoOn, "continue; recorded as not verified until the command first passes"), stopOption,
	},
	GateReviewBlocking: {fixFindings, fixedByHand, overrideThem, stopOption},
	GateFinalBlocking:  {fixFindings, fixedByHand, overrideThem, stopOption},
	GateEffectUnclear: {
		option("adopt", EffectAdopt, "count it as made; keep the branch as it is"),
		option("repeat", EffectRepeat, "make the commit again"), stopOption,
	},
	GateContinue: {
		option("yes", string(NextPhase), "start the next phase"),
		option("fix", string(Fix), "have the executor fix the important findings first"), stopOption,
	},
	GatePause: {option("continue", EffectUnpause, "continue until the next pause"), stopOption},
}

// BlockedOptions are the options of a dispatch or a check that cannot go on, by the state it stands in.
func BlockedOptions(state Name) []Option {
	retry := withHint("retry", EffectRetry, "try again; a reason goes to the agent")
	switch state {
	case Plan:
		return []Option{retry, skipPhase, stopOption}
	case Verify:
		return []Option{retry, unverified, stopOption}
	case Review, FinalReview:
		return []Option{retry, withReason("skip", string(Overridden), "continue without this review"), stopOption}
	case Execute:
		return []Option{retry, planAgain, stopOption}
	}
	return []Option{retry, stopOption}
}

// YourTurnOptions are the options of a dispatch that waits for a person, by the state that it is in.
func YourTurnOptions(state Name) []Option {
	done := option(HandIn, EffectRetry, "hand in your work with a summary, or with the reply file")
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
		return Offer{Kind: GateCheckpoint, When: when, Options: CheckpointOptions(kind, "one of the plan's choices")}
	}
	return []Offer{
		of(GateSpecChanged, "a finished phase was changed, moved or removed in the spec"),
		of(GateBaselineRed, "before any work, a validation command can't start, runs out of time, or fails without naming tests"),
		of(GatePlanWanted, "the phase waits for your plan: it is high complexity, or you asked for it"),
		of(GateApproveSkeleton, "with --thorough: the planner wrote an outline of the plan"),
		of(GateApprovePlan, "a plan is ready, and it is risky or you asked to see it (--thorough, --review-plans)"),
		{GateNoOutput, "an agent returned nothing usable twice in a row, or the planner left several plans", inAnyState(BlockedOptions)},
		{GateBlocked, "an agent is blocked, a check can't start, or a commit is refused", inAnyState(BlockedOptions)},
		{GateBlocked, "it's your turn to do an agent's work (backend manual)", inAnyState(YourTurnOptions)},
		of(GateDirtyOverlap, "a task needs a file that you changed and didn't commit"),
		checkpoint(CheckpointDecision, "the plan needs your decision before a task"),
		checkpoint(CheckpointAction, "the plan needs you to do something before a task"),
		checkpoint(CheckpointVerify, "the plan asks you to check a task's commit"),
		of(GateAlreadyDone, "a task changed nothing, and its validation already passed before"),
		of(GateLargeChange, "a task leaves a file over 10 MB, or more than 500 new files, that the plan doesn't name"),
		of(GateTasksExhausted, "a task failed in all its attempts, and no other task can run"),
		of(GateVerifyFailed, "the validation commands or the verifier reject the phase, or there is no command to run"),
		of(GateReviewBlocking, "the review of a phase has findings that block"),
		of(GateContinue, "a phase is complete"),
		of(GateFinalBlocking, "the final review has findings that block"),
		of(GatePause, "you paused the run, or --pause-every is reached"),
		of(GateEffectUnclear, "the run stopped during a commit, and HEAD has moved since"),
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
				if o.Name == skipPhase.Name {
					o.Label = "while planning, skip the phase; in verification or review, continue without it; not offered during tasks"
				}
				all = append(all, o)
			}
		}
	}
	return append(all, stopOption)
}
