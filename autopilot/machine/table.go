package machine

// Edges is the state table: from each state, by edge, to the next state. The diagram, the status page and the
// agreement test derive from it.
var Edges = map[Name]map[Edge]Name{
	Init:          {Initialised: Assess},
	Assess:        {PlanFound: ApprovePlan, PlanNeeded: Plan, Redo: Assess},
	Plan:          {PlanReady: ApprovePlan, PhaseSkipped: PhaseComplete, Redo: Assess},
	ApprovePlan:   {Approved: Execute, Revise: Plan, PhaseSkipped: PhaseComplete, Redo: Assess},
	Execute:       {TasksDone: Verify, Revise: Plan, PlanChanged: ApprovePlan, Redo: Assess},
	Verify:        {Verified: Review, VerificationSkipped: Review, Fix: Execute, Redo: Assess},
	Review:        {Reviewed: PhaseComplete, Overridden: PhaseComplete, Fix: Execute, Redo: Assess},
	PhaseComplete: {NextPhase: Assess, PhasesDone: FinalReview, Fix: Execute, Redo: Assess},
	FinalReview:   {Reviewed: Done, Overridden: Done, Fix: FinalReview, Redo: Assess},
	Done:          {Extended: Assess, Redo: Assess},
}

// Actors says who acts in each state, in the words of the status page.
var Actors = map[Name]string{
	Init: "autopilot", Assess: "autopilot", Plan: "planner, or you", ApprovePlan: "autopilot's rules, or you",
	Execute: "executor, task by task", Verify: "autopilot's checks, then the verifier", Review: "reviewer",
	PhaseComplete: "autopilot", FinalReview: "autopilot's checks, then the reviewer", Done: "autopilot",
}

// Steps is the table inside the states: at each step, by event, the steps that the event may lead to. An event that
// has no row is refused; a step that is not in its row cannot be reached. Which of several it is, package transition
// decides from what the event carries. An answer to a gate moves by the option's effect instead (gate.go).
var Steps = map[Name]map[StepName]map[EventType][]StepName{
	Init: {
		StepBranch:   {Branched: {StepBaseline}},
		StepBaseline: {BaselineMeasured: {StepBaseline, Leave}},
	},
	Assess: {
		StepLook: {PlanChecked: {Leave}},
	},
	Plan: {
		StepSkeleton:      {Dispatched: {StepSkeletonReply}},
		StepSkeletonReply: {DispatchEnded: {StepSkeleton, StepSkeletonReply}},
		StepPlan:          {Dispatched: {StepPlanReply}},
		StepPlanReply:     {DispatchEnded: {StepPlan, StepFind}},
		StepFind:          {PlanRead: {Leave}, PlanMissing: {StepPlan, StepAwait}},
		StepAwait:         {},
	},
	ApprovePlan: {
		StepWeigh: {PlanWeighed: {StepWeigh, Leave}, PlanEdited: {StepWeigh}},
	},
	Execute: takingPlanEdits(executeSteps(map[StepName]map[EventType][]StepName{
		StepPlanCommit: commitSteps(StepPick),
		StepRescue:     {Validated: {StepCommit, StepRescue}},
		StepPick: {
			TaskStarted: {StepPick, StepDispatch, StepDiagnose}, TasksExhausted: {StepRecoveryCommit},
			TasksFinished: {StepPick, Leave},
		},
		StepRecoveryCommit:   commitSteps(StepRecoveryCommit),
		StepCheckpointCommit: commitSteps(StepPick),
	}), StepPick, StepDiagnose, StepDispatch),
	Verify: {
		StepCommands:      {Checked: {StepCommands, StepClean, StepBlind, StepBlindChecks, StepVerifier, Leave}},
		StepClean:         {Checked: {StepCommands, StepBlind, StepBlindChecks, StepVerifier}},
		StepBlind:         {Dispatched: {StepBlindReply}},
		StepBlindReply:    {DispatchEnded: {StepBlind, StepBlindChecks, StepVerifier}},
		StepBlindChecks:   {BlindChecked: {StepBlind, StepVerifier}},
		StepVerifier:      {Dispatched: {StepVerifierReply}},
		StepVerifierReply: {DispatchEnded: {StepVerifier, Leave}},
		StepHumanCommit:   commitSteps(StepCommands),
	},
	Review: {
		StepReview:      {Dispatched: {StepReviewReply}},
		StepReviewReply: {DispatchEnded: {StepReview, Leave}},
		StepHumanCommit: commitSteps(StepCommands),
		StepCommands:    {Checked: {StepReview, StepCommands}},
	},
	PhaseComplete: {
		StepRecord:   besidesCommit(map[EventType][]StepName{PhaseRecorded: {StepContinue}}),
		StepContinue: {},
	},
	FinalReview: executeSteps(map[StepName]map[EventType][]StepName{
		StepPick: {
			TaskStarted: {StepPick, StepDispatch, StepDiagnose}, TasksExhausted: {StepRecoveryCommit},
			TasksFinished: {StepCommands},
		},
		StepRecoveryCommit: commitSteps(StepCommands),
		StepCommands:       {Checked: {StepReview}},
		StepReview:         {Dispatched: {StepReviewReply}},
		StepReviewReply:    {DispatchEnded: {StepReview, Leave}},
		StepHumanCommit:    commitSteps(StepCommands),
	}),
	Done: {
		StepClose:  besidesCommit(map[EventType][]StepName{Closed: {StepClose, StepClosed}}),
		StepClosed: besidesCommit(map[EventType][]StepName{Closed: {StepClosed}, PhasesAdded: {Leave, StepClosed}}),
	},
}

// executeSteps adds to own the steps of one task, which EXECUTE and the fix rounds of FINAL_REVIEW share.
func executeSteps(own map[StepName]map[EventType][]StepName) map[StepName]map[EventType][]StepName {
	own[StepDiagnose] = map[EventType][]StepName{Dispatched: {StepDiagnosis}, TaskStarted: {StepPick}}
	own[StepDiagnosis] = map[EventType][]StepName{DispatchEnded: {StepDiagnose, StepDispatch}}
	own[StepDispatch] = map[EventType][]StepName{Dispatched: {StepReply}, TaskStarted: {StepPick}}
	own[StepReply] = map[EventType][]StepName{DispatchEnded: {StepDispatch, StepValidate, StepPick, StepRollback}}
	own[StepValidate] = map[EventType][]StepName{Validated: {StepCommit, StepPick, StepRollback, StepValidate}, TaskStarted: {StepPick}}
	own[StepCommit] = map[EventType][]StepName{
		EffectIntended: {StepCommit}, EffectDone: {StepPick, StepValidate, StepRollback},
		CommitRefused: {StepPick, StepRollback},
	}
	own[StepRollback] = map[EventType][]StepName{RolledBack: {StepPick}}
	return own
}

// takingPlanEdits adds where a plan that a human edited is met: before the executor is told anything of it.
func takingPlanEdits(steps map[StepName]map[EventType][]StepName, at ...StepName) map[StepName]map[EventType][]StepName {
	for _, step := range at {
		steps[step][PlanEdited] = []StepName{Leave}
	}
	return steps
}

// commitSteps are the events of a commit that belongs to no task: it is intended, then done or refused.
func commitSteps(then StepName) map[EventType][]StepName {
	return map[EventType][]StepName{EffectIntended: {Stay}, EffectDone: {then}, CommitRefused: {Stay}}
}

// besidesCommit adds to a step the events of a commit that is made beside what the step is about: the roadmap's.
func besidesCommit(own map[EventType][]StepName) map[EventType][]StepName {
	own[EffectIntended], own[EffectDone], own[CommitRefused] = []StepName{Stay}, []StepName{Stay}, []StepName{Stay}
	return own
}

// Lanes is the table inside a lane: at each step, by event, the steps that the event may lead to; Leave ends the lane. At
// pick it waits to be started, at commit to be brought.
var Lanes = map[StepName]map[EventType][]StepName{
	StepPick:      {TaskStarted: {StepDispatch, StepDiagnose}},
	StepDiagnose:  {Dispatched: {StepDiagnosis}, GateRaised: {StepDiagnose}},
	StepDiagnosis: {DispatchEnded: {StepDiagnose, StepDispatch}, GateRaised: {StepDiagnosis}},
	StepDispatch:  {Dispatched: {StepReply}, GateRaised: {StepDispatch}},
	StepReply:     {DispatchEnded: {StepDispatch, StepValidate, StepPick, StepRollback, StepCommit}, GateRaised: {StepReply}},
	StepValidate:  {Validated: {StepCommit, StepPick, StepRollback, StepValidate}, RolledBack: {StepPick, StepCommit}, GateRaised: {StepValidate}},
	StepRollback:  {RolledBack: {StepPick, StepCommit}, GateRaised: {StepRollback}},
	StepCommit:    {TaskBrought: {Leave}, RolledBack: {StepPick, StepCommit}},
}
