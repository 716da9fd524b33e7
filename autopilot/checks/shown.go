package checks

import (
	"fmt"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/proof"
	"autopilot/autopilot/validate"
)

// ofOld is the finding of an answer of the old tests. What the plan announces blocks nothing.
func (ps Proofs) ofOld(v validate.Validation, a proof.Answer) (machine.Finding, bool) {
	f := machine.Finding{Source: "integrity", Command: v.Command, Dir: v.Dir}
	switch a.Verdict {
	case proof.Broken:
		f.Severity, f.Title, f.Unproven = machine.Critical, "the previous tests fail on the new code", !a.Announced
		if len(a.Tests) > 0 {
			f.Title += ": " + validate.Named(a.Tests)
		}
		f.Rationale = fmt.Sprintf("%s fails with the previous tests and the new code. Restore the behaviour, or %s.", v.Command, ps.Instead)
	case proof.Unbuilt:
		f.Severity, f.Title = machine.Important, "the previous tests don't run on the new code"
		f.Rationale = fmt.Sprintf("%s, with the previous tests and the new code, does not build, does not find what was renamed, or fails although its tests pass.", v.Command)
	default:
		return f, false
	}
	f.Rationale += "\n" + strings.TrimSpace(ps.Mask.Shorten(a.Now.Output, MaxDetail))
	if a.Announced {
		f.Severity = machine.Suggestion
	}
	return f, true
}

// ofNew is the finding that new tests pass on the code of before.
func ofNew(v validate.Validation, a proof.Fresh) machine.Finding {
	f := machine.Finding{Severity: machine.Important, Source: "integrity", Command: v.Command, Dir: v.Dir, Title: "the new tests pass without the change"}
	if len(a.Tests) > 0 {
		f.Title += ": " + validate.Named(a.Tests)
	}
	f.Rationale = fmt.Sprintf("%s passes with the new tests and the previous code, so the tests don't check the change. Add a test that fails without it, or explain in your summary why none can.", v.Command)
	return f
}

// oldLine is an answer of the old tests in a line, for who reviews the work.
func oldLine(command string, a proof.Answer) string {
	by := ""
	if a.Now.Counts == nil {
		by = " (by the exit code only)"
	}
	switch {
	case a.Verdict == proof.Holds:
		return command + " passes with the tests of before" + by
	case a.Verdict == proof.Broken && len(a.Tests) > 0:
		return command + " fails with the tests of before: " + validate.Named(a.Tests)
	case a.Verdict == proof.Broken:
		return command + " fails with the tests of before" + by
	case a.Verdict == proof.CouldNot:
		return command + " could not be run with the tests of before"
	}
	return command + " does not build with the tests of before, or fails though they pass, or they do not find what was renamed"
}

// newLine is an answer of the new tests in a line; "" where none is new.
func newLine(command string, a proof.Fresh) string {
	switch a.Verdict {
	case proof.Broken:
		return fmt.Sprintf("%s: %s without the change: %s", command, machine.Plural(len(a.Tests), "new test fails", "new tests fail"), validate.Named(a.Tests))
	case proof.Holds:
		return fmt.Sprintf("%s: %s without the change", command, machine.Plural(a.New, "new test passes", "new tests pass"))
	case proof.TooLong:
		return command + ": it takes too long to run the new tests without the change"
	case proof.CouldNot:
		return command + ": the new tests could not be run without the change"
	case proof.Unbuilt:
		return command + ": the new tests do not build without the change, which tells nothing"
	}
	return ""
}
