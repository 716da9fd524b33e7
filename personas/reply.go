package personas

// ReplyVersion is the schema version of a Reply.
const ReplyVersion = 1

// Status is what an agent says of its own work. It is a claim, never proof.
type Status string

// The statuses.
const (
	StatusDone    Status = "done"
	StatusBlocked Status = "blocked" // a human is needed; Blocker says for what
	StatusFailed  Status = "failed"
)

// Severity of a finding.
type Severity string

// The severities.
const (
	Critical   Severity = "critical"
	Important  Severity = "important"
	Suggestion Severity = "suggestion"
)

// Confidence in a judgement about a criterion.
type Confidence string

// The confidences.
const (
	High   Confidence = "high"
	Medium Confidence = "medium"
	Low    Confidence = "low"
)

// Reply is what a persona hands back, one schema for all.
type Reply struct {
	V           int         `json:"v"`
	Status      Status      `json:"status"`
	Summary     string      `json:"summary"`
	PlanPath    string      `json:"planPath,omitempty"` // relative to the working tree
	Concerns    []string    `json:"concerns,omitempty"`
	Assumptions []string    `json:"assumptions,omitempty"` // of a planner: what the spec leaves open and the plan takes for granted
	Findings    []Finding   `json:"findings,omitempty"`
	Evidence    []Evidence  `json:"evidence,omitempty"`
	Criteria    []Criterion `json:"criteria,omitempty"`
	Judged      []Judgement `json:"judged,omitempty"` // of the findings and blind checks that the prompt names by id
	Checks      []Check     `json:"checks,omitempty"` // of a blind reading
	Learnings   []Learning  `json:"learnings,omitempty"`
	Blocker     string      `json:"blocker,omitempty"` // owed when Status is blocked
	Unknown     []string    `json:"-"`                 // fields that came with it and that the schema does not have
}

// Check is a command that fails where a sentence of the spec does not hold.
type Check struct {
	Quote   string      `json:"quote"` // the sentence, word for word
	Command string      `json:"command"`
	Files   []CheckFile `json:"files,omitempty"`
}

// CheckFile is a file that a check needs.
type CheckFile struct {
	Path string `json:"path"` // relative to the working tree
	Text string `json:"text"`
}

// Judgement is the word on a finding from before, or on a blind check that failed.
type Judgement struct {
	ID      string  `json:"id"` // F1; B1 of a blind check
	Verdict Verdict `json:"verdict"`
	Why     string  `json:"why,omitempty"`
}

// Verdict on a finding from before, or on a blind check.
type Verdict string

// The verdicts: a finding is still there, is mended, never was wrong; of a blind check that failed the code is wrong, the check is,
// or the spec can be read in both ways.
const (
	Still      Verdict = "still"
	Fixed      Verdict = "fixed"
	Wrong      Verdict = "wrong"
	CodeWrong  Verdict = "code"
	CheckWrong Verdict = "check"
	SpecOpen   Verdict = "spec"
)

// Verdicts lists them in the order in which they are named to an agent.
var Verdicts = []Verdict{Still, Fixed, Wrong, CodeWrong, CheckWrong, SpecOpen}

// Finding is something wrong with the change.
type Finding struct {
	ID        string   `json:"-"` // of one from before, as the prompt names it
	Severity  Severity `json:"severity"`
	File      string   `json:"file,omitempty"` // relative to the working tree
	Line      int      `json:"line,omitempty"` // 1-based; 0: the file as a whole
	Title     string   `json:"title"`
	Rationale string   `json:"rationale,omitempty"`
}

// Evidence is a command that was run and how it ended.
type Evidence struct {
	Command  string `json:"command"`
	ExitCode int    `json:"exitCode"`
	Note     string `json:"note,omitempty"`
}

// Criterion is the judgement of one of the spec's success criteria.
type Criterion struct {
	Text       string     `json:"text"`
	Satisfied  bool       `json:"satisfied"`
	Confidence Confidence `json:"confidence"`
	Evidence   string     `json:"evidence,omitempty"`
}

// Learning is something that later work should know. Outcome is a word such
// as gotcha, decision, observation, success or failure.
type Learning struct {
	Outcome string `json:"outcome"`
	Text    string `json:"text"`
}
