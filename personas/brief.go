package personas

// Purpose tells dispatches of one persona apart.
type Purpose string

// The purposes. Work is the persona's plain job in its state.
const (
	Work      Purpose = ""
	Skeleton  Purpose = "skeleton"  // planner at thorough: the plan's outline for approval
	SpecDraft Purpose = "spec"      // planner, before there is a session: a spec of what a human wants
	Diagnosis Purpose = "diagnosis" // verifier, read-only: why a task keeps failing
	Blind     Purpose = "blind"     // verifier, with the spec alone: what must be true once a phase is done, as checks
	Final     Purpose = "final"     // reviewer: the whole change against the spec
	Repair    Purpose = "repair"    // any: the reply was invalid, hand it in again
)

// Rigor as the session fixed it.
type Rigor string

// The rigors.
const (
	Fast     Rigor = "fast"
	Standard Rigor = "standard"
	Thorough Rigor = "thorough"
)

// Brief is everything that a dispatch names. A zero field is left out of the
// prompt. Paths are given as the agent should use them: relative to the
// working tree, except where a field says otherwise.
type Brief struct {
	Purpose Purpose
	Rigor   Rigor
	Phase   PhaseBrief

	SpecPath  string // the readable copy; one outside of the working tree is absolute
	SpecTitle string
	SpecText  string   // the whole of it, for the final review
	Criteria  []string // the spec's success criteria, in its order

	SpecSuggestedPath string // of SpecDraft: the file that the spec has to be written to

	PlanPath          string // the phase's plan, where there is one
	PlanText          string // its content
	PlanDir           string // folder in which a planner writes
	PlanSuggestedPath string // the file name that a planner should take
	Skeleton          string // the approved outline that a full plan has to follow; of Skeleton: the one that was sent back

	SessionDir    string // as SpecPath
	ScratchpadDir string // as SpecPath; "" where the rigor has none
	ReplyPath     string // absolute; where a program without submit_reply writes its reply
	Submits       bool   // the agent has submit_reply, and needs neither the example nor another way

	Earlier *Earlier // of a persona that judged the work before: Base is the commit that it saw

	Base, Head  string // commits of the diff range; Head "" is the working tree
	DiffStat    string
	Diff        string
	DiffLeft    []string // what of the diff is not shown, for its length
	Judging     string   // of the diff, the files that judge, where they are apart
	JudgingLeft []string

	Task        *TaskBrief
	Files       []Section // of the task, as they are now, for an agent that submits: others want to read what they edit themselves
	FilesLeft   []string  // those that are too large for it
	Attempt     int       // from 1; 0: not an attempt
	MaxAttempts int       // 0: not bounded in this way
	RolledBack  bool      // the work of the attempt before was taken out of the tree
	Interrupted bool      // the attempt was cut off before; its work is in the tree
	Failure     string    // what went wrong in the attempt before
	MoreContext []Section // what grows with the retries: related files, full output, diagnosis

	Checkpoints []CheckpointBrief // those of this phase that were passed
	Standing    []Section         // where the work stands: the last handoff, commits, what changed, the log
	Learnings   []string          // already within the token budget
	Validations []string          // the project's commands
	Evidence    []Evidence        // what the program itself ran, newest last
	Blind       []BlindFailure    // blind checks that failed
	Findings    []Finding         // to be fixed, or those of earlier reviews
	Guide       string            // the repository's AGENTS.md or CLAUDE.md
	GuidePath   string            // which of them it is
	Remark      string            // what a human said: a revise remark, the reason of a retry; of SpecDraft: what is wanted
	Notes       []string          // what the program wants said, in its own words
	Dirty       []string          // the user's own uncommitted files: not to be touched
	Problems    []string          // of Repair: what was wrong with the reply
	Previous    string            // of Repair: the reply as it came
}

// Earlier is what a persona said of the work before something was done about it.
type Earlier struct {
	Commit string   // that it saw
	Base   string   // at which the whole of the work begins
	Fixed  []string // ids of the findings that what came since is meant to fix
	Reply  Reply
}

// PhaseBrief is the phase that a dispatch belongs to.
type PhaseBrief struct {
	Number     string // as the spec writes it: "5a"
	Name       string
	Complexity string
	Text       string // the spec's Markdown of this phase
	Index, Of  int    // 1-based position; 0: the dispatch belongs to no phase
}

// TaskBrief is the task that an executor works on, or that is diagnosed.
type TaskBrief struct {
	ID           string // task-002
	Number       string // as the plan writes it
	Title        string
	Kind         string // "": from the plan; else "fix" or "final-fix"
	Body         string // the plan's Markdown of this task
	Files        []string
	Owns         []string
	ChangesTests []string
	DependsOn    []string
	Steps        []string
	Validation   string // "": the project's commands decide
	PassesBefore bool   // the validation passes before any change
}

// BlindFailure is a check made of the spec alone that failed.
type BlindFailure struct {
	ID, Quote, Command string
	ExitCode           int
	Output             string
	Before             string // how it ended where the phase began
	Files              []CheckFile
}

// Section is a titled piece of material from the repository or from a command.
type Section struct{ Title, Text string }

// CheckpointBrief is a checkpoint that a human passed, with what was decided.
type CheckpointBrief struct{ Task, Kind, Question, Choice string }
