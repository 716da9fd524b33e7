package machine

// The outcome of a blind check that gave two results in two runs, and what the verifier answers about one that failed.
const (
	CheckFlaky   = "flaky"
	VerdictCode  = "code"  // the code is wrong
	VerdictCheck = "check" // the check is wrong
	VerdictSpec  = "spec"  // the spec leaves it open
)

// BlindCheck is a command that fails where a sentence of the spec does not hold.
type BlindCheck struct {
	ID       string      `json:"id"` // B1, B2 …
	Quote    string      `json:"quote"`
	Command  string      `json:"command"`
	Files    []BlindFile `json:"files,omitempty"`
	Outcome  string      `json:"outcome,omitempty"` // as a Check's, or flaky; "": it is to be run
	ExitCode int         `json:"exitCode,omitempty"`
	Output   string      `json:"output,omitempty"` // of one that did not pass
	Before   string      `json:"before,omitempty"` // of one that failed: its outcome where the phase began
	Answer   string      `json:"answer,omitempty"` // of the verifier, on one that failed
	Why      string      `json:"answerWhy,omitempty"`
}

// BlindFile is a file that a check needs, below the root of the working tree.
type BlindFile struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// title names what is wrong about a quote.
func (c BlindCheck) title(answer string) string {
	if answer == VerdictSpec {
		return "the spec can be read in two ways: \"" + c.Quote + "\""
	}
	return "the spec says \"" + c.Quote + "\", and it does not hold"
}
