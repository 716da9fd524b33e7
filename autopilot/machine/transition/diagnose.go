package transition

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
)

// wantsDiagnosis says whether the next attempt begins with a diagnosis: before the last retry, and as soon as the same
// failure came twice in a row, since the same again would only fail again. A failure is diagnosed once, however often
// it repeats; another one is diagnosed anew. So there is no more than one diagnosis for each failed attempt.
func wantsDiagnosis(t machine.Task, retries int) bool {
	failed := t.Failures()
	n := len(failed)
	if n == 0 || isDiagnosed(t, failed) {
		return false
	}
	return n == retries+t.Extra || n > 1 && sameFailure(failed[n-1], failed[n-2])
}

// noDiagnosis stands where a diagnosis was wanted and did not come.
const noDiagnosis = "none was made"

// isDiagnosed says whether the diagnosis at hand is that of the last failure: nothing else failed since. One that did not
// come counts for its own attempt only; one that an older program recorded does not say what it knew of, and counts.
func isDiagnosed(t machine.Task, failed []machine.Attempt) bool {
	switch {
	case t.Diagnosis == "" || t.DiagnosedAfter == 0:
		return t.Diagnosis != ""
	case t.Diagnosis == noDiagnosis:
		return t.DiagnosedAfter == len(failed)
	}
	for i := t.DiagnosedAfter; i < len(failed); i++ {
		if !sameFailure(failed[i], failed[i-1]) {
			return false
		}
	}
	return true
}

// sameFailure says whether two attempts failed alike, as far as anyone can tell.
func sameFailure(a machine.Attempt, b machine.Attempt) bool {
	return a.Signature != "" && a.Signature == b.Signature
}

// signature names the failure that the event tells of, so that it is known when it comes again: findings (that nothing
// was changed is one) by what was found, a check by what it said, a commit hook by its words or by the files that it
// changes each time, a dispatch that ran out of time by that alone.
//
// None has a signature when a diagnosis of the work has nothing to say to it: an agent program that crashed or left no
// reply, a dispatch that was cut off. Nor has an agent's word that it failed, which differs each time.
func signature(e machine.Event) string {
	end, findings := e.Ended, e.Findings
	if end != nil {
		findings = end.Findings
	}
	bad := machine.Blocking(findings, machine.Standard)
	switch {
	case len(bad) > 0:
		return signatureOfFindings(bad)
	case e.Type == machine.CommitRefused:
		return digest([]string{"hook refused", e.Signature})
	case len(e.Hooked) > 0:
		return digest(append([]string{"hook changed"}, e.Hooked...))
	case end != nil && end.Outcome == machine.OutcomeTimedOut:
		return digest([]string{"dispatch timed out"})
	}
	return signatureOfChecks(machine.ChecksWith(e.Checks, machine.CheckFailed, machine.CheckTimedOut))
}

// signatureOfChecks names what failed by what the output says failed, the tests where it names them; where it says
// nothing by the exit code, and one that ran out of time by that.
func signatureOfChecks(failed []machine.Check) string {
	var parts []string
	for _, c := range failed {
		said := c.Signature
		switch {
		case c.Outcome == machine.CheckTimedOut:
			said = "timed out"
		case said == "" && len(c.FailedTests) > 0:
			said = strings.Join(slices.Sorted(slices.Values(c.FailedTests)), "\n")
		case said == "":
			said = fmt.Sprintf("exit code %d", c.ExitCode)
		}
		parts = append(parts, c.Name()+"\n"+said)
	}
	return digest(parts)
}

// signatureOfFindings names a failure by what was found, and where; lines move too easily to count.
func signatureOfFindings(findings []machine.Finding) string {
	var parts []string
	for _, f := range findings {
		parts = append(parts, f.File+"\n"+f.Title)
	}
	return digest(parts)
}

// digest is short, since it stands in the state and nobody reads it.
func digest(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	slices.Sort(parts)
	sum := sha256.Sum256([]byte(strings.Join(parts, "\n\n")))
	return hex.EncodeToString(sum[:8])
}
