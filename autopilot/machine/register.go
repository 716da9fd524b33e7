package machine

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Fate is what became of a finding.
type Fate string

// The fates of a finding.
const (
	FateOpen      Fate = "open"
	FateFixed     Fate = "fixed"     // by a commit, in the word of the check or of a persona that did not make it
	FateDismissed Fate = "dismissed" // somebody says that it is wrong
	FateWaived    Fate = "waived"    // a person went on in spite of it
	FateGone      Fate = "gone"      // its file went
)

// Entry is a finding of the register, with what became of it. Findings with the same Cause are one entry.
type Entry struct {
	ID    string `json:"id,omitempty"`    // F1, F2 …; "" of a finding that the register does not have
	Phase int    `json:"phase,omitempty"` // 1-based position; 0: of the final review
	Task  string `json:"task,omitempty"`  // whose work it is about
	Finding
	Whole    Whole     `json:"rationaleWhole,omitzero"` // where the state has its beginning alone
	RaisedAt time.Time `json:"raisedAt,omitzero"`       // zero where an older program recorded none
	Undone   bool      `json:"undone,omitempty"`        // of an agent's deed: the program put back what was there
	Fate     Fate      `json:"fate,omitempty"`
	Commit   string    `json:"commit,omitempty"` // fixed: by which
	By       string    `json:"by,omitempty"`     // dismissed, waived: who
	Reason   string    `json:"reason,omitempty"` // dismissed, waived; open: why a persona holds a critical one for wrong
	Gate     string    `json:"gate,omitempty"`   // waived: the id
}

// Whole says where the whole of a text is of which a state keeps the beginning.
type Whole struct {
	SHA256 string `json:"sha256"`
	In     string `json:"in"` // the file in the session's folder; of the journal, with the revision
}

// Register is every finding of a session, in the order in which they were first raised.
type Register []Entry

// Cause is the same for findings about the same thing: the file, the title without case, digits and punctuation, and the code
// in backquotes of it. Where the program's own checks are concerned, every letter counts, and the command.
func (f Finding) Cause() string {
	if f.Own() {
		return strings.Join([]string{f.File, f.Title, f.Command, f.Dir}, "\x00")
	}
	words := strings.FieldsFunc(strings.ToLower(f.Title), func(r rune) bool { return r < 0x80 && (r < 'a' || r > 'z') })
	return strings.Join(slices.Concat([]string{f.File}, words, quotedCode(f.Title)), "\x00")
}

// HasCause says whether findings have one of the cause of another.
func HasCause(findings []Finding, other Finding) bool {
	return slices.ContainsFunc(findings, func(f Finding) bool { return f.Cause() == other.Cause() })
}

// quotedCode lists the code in backquotes.
func quotedCode(text string) (code []string) {
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			code = append(code, part)
		}
	}
	return code
}

// Own says whether a finding is of the program's own checks: only that check, run again, closes it.
func (f Finding) Own() bool {
	return f.Source == "check" || f.Source == "integrity" || f.Source == SourceSkipped
}

// SourceSkipped is the source of a finding that names a task which a human had the phase go on without.
const SourceSkipped = "skipped"

// String is the entry in one line: id, severity, place, title.
func (e Entry) String() string { return e.ID + " " + e.Finding.String() }

// Became says what became of it: what closed it, or of an open one what a persona says that may not dismiss it; "" is nothing.
func (e Entry) Became() string {
	switch {
	case e.Fate == FateOpen && e.By == "":
		return ""
	case e.Fate == FateOpen:
		return "the " + e.By + " holds it for wrong: " + e.Reason
	case e.Commit != "":
		return string(e.Fate) + " by commit " + e.Commit[:min(8, len(e.Commit))]
	case e.By != "":
		return strings.TrimSuffix(string(e.Fate)+" by "+e.By+": "+e.Reason, ": ")
	}
	return string(e.Fate)
}

// Raise returns the register with a finding in it: a new entry, or the one of the same cause, open again unless a person
// dismissed or waived it. The register itself belongs to earlier states, too, and stays as it is.
func (r Register) Raise(e Entry) Register {
	next := slices.Clone(r)
	at := slices.IndexFunc(next, func(old Entry) bool { return old.Cause() == e.Cause() })
	if at < 0 {
		e.ID, e.Fate, e.Rationale = "F"+strconv.Itoa(len(next)+1), FateOpen, Beginning(e.Rationale)
		return append(next, e)
	}
	old := &next[at]
	old.Line, old.Severity = e.Line, e.Severity
	if old.Fate == FateFixed || old.Fate == FateGone {
		old.Fate, old.Commit = FateOpen, ""
	}
	return next
}

// maxKept is how many bytes a state keeps of a text that the journal has whole.
const maxKept = 1 << 10

// Beginning is as much of a text as a state keeps.
func Beginning(text string) string {
	const more = "…"
	if len(text) <= maxKept {
		return text
	}
	return strings.ToValidUTF8(text[:maxKept-len(more)], "") + more
}

// Close returns the register with the open entries of a kind in their fate.
func (r Register) Close(of func(Entry) bool, as func(*Entry)) Register {
	next := slices.Clone(r)
	for i := range next {
		if next[i].Fate == FateOpen && of(next[i]) {
			as(&next[i])
		}
	}
	return next
}

// Open are the entries that nothing became of.
func (r Register) Open() Register {
	return slices.DeleteFunc(slices.Clone(r), func(e Entry) bool { return e.Fate != FateOpen })
}

// IDs are the ids of entries.
func (r Register) IDs() []string {
	ids := make([]string, len(r))
	for i, e := range r {
		ids[i] = e.ID
	}
	return ids
}

// Lines are entries for people, a line each, with what became of them.
func (r Register) Lines() []string {
	lines := make([]string, len(r))
	for i, e := range r {
		lines[i] = e.String()
		if became := e.Became(); became != "" {
			lines[i] += " (" + became + ")"
		}
	}
	return lines
}

// Left are the entries that nothing mended: the open ones, and those that a person went on in spite of.
func (r Register) Left() Register {
	return slices.DeleteFunc(slices.Clone(r), func(e Entry) bool { return e.Fate != FateOpen && e.Fate != FateWaived })
}

// Waived are the entries that a person went on in spite of.
func (r Register) Waived() Register {
	return slices.DeleteFunc(slices.Clone(r), func(e Entry) bool { return e.Fate != FateWaived })
}

// Phase are the findings of a phase, or with 0 of the final review.
func (r Register) Phase(n int) (findings []Finding) {
	for _, e := range r {
		if e.Phase == n {
			findings = append(findings, e.Finding)
		}
	}
	return findings
}

// Of is the entry of a finding's cause.
func (r Register) Of(f Finding) (Entry, bool) {
	at := slices.IndexFunc(r, func(e Entry) bool { return e.Cause() == f.Cause() })
	if at < 0 {
		return Entry{}, false
	}
	return r[at], true
}

// RegisterOf is the register of a session whose program kept none, from the findings of its phases, tasks and final review.
func RegisterOf(s State) Register {
	r := Register{}
	raise := func(phase int, task string, findings []Finding) {
		for _, f := range findings {
			r = r.Raise(Entry{Phase: phase, Task: task, Finding: f})
			if f.Overridden {
				at := len(r) - 1
				r[at].Fate, r[at].By = FateWaived, "human"
			}
		}
	}
	for i, p := range s.Phases {
		raise(i+1, "", p.Findings)
	}
	for _, t := range s.Tasks {
		raise(s.CurrentPhase+1, t.ID, t.Findings)
	}
	raise(0, "", s.FinalReview.Findings)
	return r
}

// StillThere are the findings that a persona was asked about and does not call fixed: those it still sees, and critical
// ones that it holds for wrong, which is for a person to decide. What the program's own checks found, they find again.
func (r Register) StillThere(judged []Judgement) []Finding {
	var findings []Finding
	for _, e := range r.Open() {
		if slices.ContainsFunc(judged, func(j Judgement) bool {
			return j.ID == e.ID && !e.Own() && (j.Verdict == VerdictStill || j.Verdict == VerdictWrong && e.Severity == Critical)
		}) {
			findings = append(findings, e.Finding)
		}
	}
	return findings
}
