package machine

// Name is one of the ten states of a session.
type Name string

// The states, in the order in which a run lives them.
const (
	Init          Name = "INIT"
	Assess        Name = "ASSESS"
	Plan          Name = "PLAN"
	ApprovePlan   Name = "APPROVE_PLAN"
	Execute       Name = "EXECUTE"
	Verify        Name = "VERIFY"
	Review        Name = "REVIEW"
	PhaseComplete Name = "PHASE_COMPLETE"
	FinalReview   Name = "FINAL_REVIEW"
	Done          Name = "DONE"
)

// Names lists the states in the order in which a run lives them.
var Names = []Name{Init, Assess, Plan, ApprovePlan, Execute, Verify, Review, PhaseComplete, FinalReview, Done}

// Edge is the name of a transition between states.
type Edge string

// The edges. An answer to a gate, a reply or a piece of evidence causes at most one.
const (
	Initialised         Edge = "initialised"
	PlanFound           Edge = "plan_found"
	PlanNeeded          Edge = "plan_needed"
	PlanReady           Edge = "plan_ready"
	PhaseSkipped        Edge = "phase_skipped"
	Approved            Edge = "approved"
	Revise              Edge = "revise"
	TasksDone           Edge = "tasks_done"
	PlanChanged         Edge = "plan_changed"
	Verified            Edge = "verified"
	VerificationSkipped Edge = "verification_skipped"
	Fix                 Edge = "fix"
	Reviewed            Edge = "reviewed"
	Overridden          Edge = "overridden"
	NextPhase           Edge = "next_phase"
	PhasesDone          Edge = "phases_done"
	Extended            Edge = "extended"
	Redo                Edge = "redo"
)

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
	PhaseComplete: {NextPhase: Assess, PhasesDone: FinalReview, Redo: Assess},
	FinalReview:   {Reviewed: Done, Overridden: Done, Fix: FinalReview, Redo: Assess},
	Done:          {Extended: Assess, Redo: Assess},
}

// Actors says who acts in each state, in the words of the status page.
var Actors = map[Name]string{
	Init: "program", Assess: "program", Plan: "planner, or a human", ApprovePlan: "rule or human",
	Execute: "executor, task by task", Verify: "the program's commands, then the verifier", Review: "reviewer",
	PhaseComplete: "program", FinalReview: "the program's commands, then the reviewer", Done: "program",
}

// StepName is the place inside a state.
type StepName string

// The steps. A step is what the driver does next; "wait", "end", "lanes" and "ask" are never persisted, they are
// Next's answer while a gate is open, after the last closing step, while only lanes are at work, and when the question
// that waited for them can be opened.
const (
	StepBranch           StepName = "branch"
	StepBaseline         StepName = "baseline"
	StepLook             StepName = "look"
	StepAwait            StepName = "await"
	StepSkeleton         StepName = "skeleton"
	StepSkeletonReply    StepName = "skeleton_reply"
	StepPlan             StepName = "plan"
	StepPlanReply        StepName = "plan_reply"
	StepFind             StepName = "find"
	StepWeigh            StepName = "weigh"
	StepPlanCommit       StepName = "plan_commit"
	StepPick             StepName = "pick"
	StepDiagnose         StepName = "diagnose"
	StepDiagnosis        StepName = "diagnosis"
	StepDispatch         StepName = "dispatch"
	StepReply            StepName = "reply"
	StepValidate         StepName = "validate"
	StepCommit           StepName = "commit"
	StepRollback         StepName = "rollback"
	StepCheckpointCommit StepName = "checkpoint_commit"
	StepRecoveryCommit   StepName = "recovery_commit"
	StepRescue           StepName = "rescue"
	StepHumanCommit      StepName = "human_commit"
	StepCommands         StepName = "commands"
	StepClean            StepName = "clean"
	StepVerifier         StepName = "verifier"
	StepVerifierReply    StepName = "verifier_reply"
	StepReview           StepName = "review"
	StepReviewReply      StepName = "review_reply"
	StepRecord           StepName = "record"
	StepContinue         StepName = "continue"
	StepClose            StepName = "close"
	StepClosed           StepName = "closed"
	StepWait             StepName = "wait"
	StepEnd              StepName = "end"
	StepLanes            StepName = "lanes"
	StepAsk              StepName = "ask"
)

// leave marks, among the steps that an event may lead to, that it may take an edge of the state table instead.
const leave StepName = "→"

// stay marks that it may leave the step as it is.
const stay StepName = ""

// Steps is the table inside the states: at each step, by event, the steps that the event may lead to. An event that
// has no row is refused; a step that is not in its row cannot be reached. Which of several it is, Apply decides from
// what the event carries. An answer to a gate moves by the option's effect instead (gate.go).
var Steps = map[Name]map[StepName]map[EventType][]StepName{
	Init: {
		StepBranch:   {Branched: {StepBaseline}},
		StepBaseline: {BaselineMeasured: {StepBaseline, leave}},
	},
	Assess: {
		StepLook: {PlanChecked: {leave}},
	},
	Plan: {
		StepSkeleton:      {Dispatched: {StepSkeletonReply}},
		StepSkeletonReply: {DispatchEnded: {StepSkeleton, StepSkeletonReply}},
		StepPlan:          {Dispatched: {StepPlanReply}},
		StepPlanReply:     {DispatchEnded: {StepPlan, StepFind}},
		StepFind:          {PlanRead: {leave}, PlanMissing: {StepPlan, StepAwait}},
		StepAwait:         {},
	},
	ApprovePlan: {
		StepWeigh: {PlanWeighed: {StepWeigh, leave}, PlanEdited: {StepWeigh}},
	},
	Execute: takingPlanEdits(executeSteps(map[StepName]map[EventType][]StepName{
		StepPlanCommit: commitSteps(StepPick),
		StepRescue:     {Validated: {StepCommit, StepRescue}},
		StepPick: {
			TaskStarted: {StepPick, StepDispatch, StepDiagnose}, TasksExhausted: {StepRecoveryCommit},
			TasksFinished: {StepPick, leave},
		},
		StepRecoveryCommit:   commitSteps(StepRecoveryCommit),
		StepCheckpointCommit: commitSteps(StepPick),
	}), StepPick, StepDiagnose, StepDispatch),
	Verify: {
		StepCommands:      {Checked: {StepCommands, StepClean, StepVerifier, leave}},
		StepClean:         {Checked: {StepCommands, StepVerifier}},
		StepVerifier:      {Dispatched: {StepVerifierReply}},
		StepVerifierReply: {DispatchEnded: {StepVerifier, leave}},
		StepHumanCommit:   commitSteps(StepCommands),
	},
	Review: {
		StepReview:      {Dispatched: {StepReviewReply}},
		StepReviewReply: {DispatchEnded: {StepReview, leave}},
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
		StepReviewReply:    {DispatchEnded: {StepReview, leave}},
		StepHumanCommit:    commitSteps(StepCommands),
	}),
	Done: {
		StepClose:  besidesCommit(map[EventType][]StepName{Closed: {StepClose, StepClosed}}),
		StepClosed: besidesCommit(map[EventType][]StepName{Closed: {StepClosed}, PhasesAdded: {leave, StepClosed}}),
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
		steps[step][PlanEdited] = []StepName{leave}
	}
	return steps
}

// commitSteps are the events of a commit that belongs to no task: it is intended, then done or refused.
func commitSteps(then StepName) map[EventType][]StepName {
	return map[EventType][]StepName{EffectIntended: {stay}, EffectDone: {then}, CommitRefused: {stay}}
}

// besidesCommit adds to a step the events of a commit that is made beside what the step is about: the roadmap's.
func besidesCommit(own map[EventType][]StepName) map[EventType][]StepName {
	own[EffectIntended], own[EffectDone], own[CommitRefused] = []StepName{stay}, []StepName{stay}, []StepName{stay}
	return own
}
