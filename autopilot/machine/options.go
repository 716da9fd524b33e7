package machine

// The effects of options beside the edges of the state table: what an answer does inside a state.
const (
	effectStop    = "stop"    // the session is saved and the process ends; the gate stays open
	effectRetry   = "retry"   // the step that the gate interrupted is done again
	effectFind    = "find"    // look for the plan
	effectApprove = "approve" // the skeleton is good: dispatch the full plan
	effectPass    = "pass"    // the checkpoint is passed
	effectChoose  = "choose"  // the checkpoint's decision
	effectRedoFix = "task_fix"
	effectRescue  = "rescue"  // what a human fixed is validated
	effectRecheck = "recheck" // what a human fixed is committed and checked again
	effectKeep    = "keep"
	EffectAdopt   = "adopt" // what is there is taken as done
	effectRepeat  = "repeat"
	effectGoOn    = "go_on"    // unverified, until the command first passes
	effectUnpause = "dispatch" // the dispatches go on
)

func option(name, effect, label string) Option {
	return Option{Name: name, Effect: effect, Label: label}
}

func withReason(name, effect, label string) Option {
	return Option{Name: name, Effect: effect, Label: label, WantsReason: true}
}

// Stop is the option that every gate has: it is no answer but the wish to end the run and leave the question open.
const Stop = "stop"

var stopOption = option(Stop, effectStop, "save and leave the question open")

// gateOptions is the table of what each kind of gate takes (checkpoints and blocked dispatches vary: checkpoint.go,
// blockedOptions).
var gateOptions = map[GateKind][]Option{
	GateSpecChanged: {
		option("keep", effectKeep, "keep what is finished, read the rest anew"),
		option("redo", string(Redo), "do a finished phase again"), stopOption,
	},
	GatePlanWanted: {
		option("done", effectFind, "the plan is there"),
		withReason("skip", string(PhaseSkipped), "leave this phase out"), stopOption,
	},
	GateApproveSkeleton: {
		option("yes", effectApprove, "go on to the full plan"),
		withReason("revise", string(Revise), "say what to change"),
		withReason("skip", string(PhaseSkipped), "leave this phase out"), stopOption,
	},
	GateApprovePlan: {
		option("yes", string(Approved), "run the plan"),
		withReason("revise", string(Revise), "say what to change"),
		withReason("skip", string(PhaseSkipped), "leave this phase out"), stopOption,
	},
	GateTasksExhausted: {
		option("continue", effectRescue, "fixed by hand: check and commit it"),
		withReason("revise", string(Revise), "plan the phase anew"), stopOption,
	},
	GateDirtyOverlap: {option("done", effectRetry, "my changes are committed"), stopOption},
	GateVerifyFailed: {
		option("fix", string(Fix), "have the findings fixed"),
		option("continue", effectRecheck, "fixed by hand: commit it and check again"),
		withReason("skip", string(VerificationSkipped), "go on, recorded as not verified"), stopOption,
	},
	GateBaselineRed: {withReason("continue", effectGoOn, "go on unverified until it first passes"), stopOption},
	GateReviewBlocking: {
		option("fix", string(Fix), "have the findings fixed"),
		option("continue", effectRecheck, "fixed by hand: commit it and check again"),
		withReason("override", string(Overridden), "go on in spite of the findings"), stopOption,
	},
	GateFinalBlocking: {
		option("fix", string(Fix), "have the findings fixed"),
		option("continue", effectRecheck, "fixed by hand: commit it and check again"),
		withReason("override", string(Overridden), "finish in spite of the findings"), stopOption,
	},
	GateEffectUnclear: {
		option("adopt", EffectAdopt, "take what is there as done"),
		option("repeat", effectRepeat, "do it again"), stopOption,
	},
	GateContinue: {option("yes", string(NextPhase), "go on"), stopOption},
	GatePause:    {option("continue", effectUnpause, "go on, until the next pause"), stopOption},
}

// blockedOptions are the options of a dispatch or a check that cannot go on, by the state it stands in.
func blockedOptions(state Name) []Option {
	retry := withReason("retry", effectRetry, "try again; the reason goes to the agent")
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
