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
	StepBlind            StepName = "blind"
	StepBlindReply       StepName = "blind_reply"
	StepBlindChecks      StepName = "blind_checks"
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

// Leave marks, among the steps that an event may lead to, that it may take an edge of the state table instead.
const Leave StepName = "→"

// Stay marks that it may leave the step as it is.
const Stay StepName = ""

// Rigor is how much of the method a session follows; fixed when it begins.
type Rigor string

// The rigors.
const (
	Fast     Rigor = "fast"
	Standard Rigor = "standard"
	Thorough Rigor = "thorough"
)

// Complexity is a phase's complexity as the spec marks it.
type Complexity string

// The complexities.
const (
	Low    Complexity = "low"
	Medium Complexity = "medium"
	High   Complexity = "high"
)
