package machine

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
		return Offer{Kind: kind, When: when, Options: gateOptions[kind]}
	}
	checkpoint := func(kind, when string) Offer {
		return Offer{Kind: GateCheckpoint, When: when, Options: checkpointOptions(kind, "a choice of the plan")}
	}
	return []Offer{
		of(GateSpecChanged, "a finished phase of the spec was changed, moved or removed"),
		of(GateBaselineRed, "a validation command cannot start or ran out of time before the work, or was red then and names no tests"),
		of(GatePlanWanted, "the plan is yours to make: the phase is of high complexity, or you wanted to"),
		of(GateApproveSkeleton, "thorough: the outline of a plan is there"),
		of(GateApprovePlan, "a plan is there, and a signal (or thorough, or --review-plans) wants a human to read it"),
		{GateNoOutput, "two dispatches in a row brought nothing usable, or the planner left several plans", allBlockedOptions()},
		{GateBlocked, "an agent is blocked, a check cannot start, or a commit is refused", allBlockedOptions()},
		of(GateDirtyOverlap, "a task names a file that you have changed and not committed"),
		checkpoint(CheckpointDecision, "the plan wants you to decide before a task"),
		checkpoint(CheckpointAction, "the plan wants you to do something before a task"),
		checkpoint(CheckpointVerify, "the plan wants you to look at a task's commit"),
		of(GateTasksExhausted, "a task failed with all its retries, and nothing else can run"),
		of(GateVerifyFailed, "the commands or the verifier say no, or there is nothing to run"),
		of(GateReviewBlocking, "the review of a phase has findings that block"),
		of(GateContinue, "a phase is complete"),
		of(GateFinalBlocking, "the final review has findings that block"),
		of(GatePause, "as many dispatches were made as --pause-every says"),
		of(GateEffectUnclear, "a commit was begun before the stop, and HEAD moved on since"),
	}
}

// allBlockedOptions are the options of a blocked dispatch in any state, each once, stop last.
func allBlockedOptions() []Option {
	var all []Option
	seen := map[string]bool{Stop: true}
	for _, state := range Names {
		for _, o := range blockedOptions(state) {
			if !seen[o.Name] {
				seen[o.Name] = true
				all = append(all, o)
			}
		}
	}
	return append(all, stopOption)
}
