package machine

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// wantsDiagnosis says whether the next attempt begins with a diagnosis: before the last retry, and as soon as the same
// failure came twice in a row, since the same again would only fail again. A failure is diagnosed once, however often
// it repeats; another one is diagnosed anew. So there is no more than one diagnosis for each failed attempt.
func (t Task) wantsDiagnosis(retries int) bool {
	failed := t.Failures()
	n := len(failed)
	if n == 0 || t.isDiagnosed(failed) {
		return false
	}
	return n == retries+t.Extra || n > 1 && failed[n-1].sameAs(failed[n-2])
}

// noDiagnosis stands where a diagnosis was wanted and did not come.
const noDiagnosis = "none was made"

// isDiagnosed says whether the diagnosis at hand is that of the last failure: nothing else failed since. One that did not
// come counts for its own attempt only; one that an older program recorded does not say what it knew of, and counts.
func (t Task) isDiagnosed(failed []Attempt) bool {
	switch {
	case t.Diagnosis == "" || t.DiagnosedAfter == 0:
		return t.Diagnosis != ""
	case t.Diagnosis == noDiagnosis:
		return t.DiagnosedAfter == len(failed)
	}
	for i := t.DiagnosedAfter; i < len(failed); i++ {
		if !failed[i].sameAs(failed[i-1]) {
			return false
		}
	}
	return true
}

// sameAs says whether two attempts failed alike, as far as anyone can tell.
func (a Attempt) sameAs(b Attempt) bool { return a.Signature != "" && a.Signature == b.Signature }

// signature names the failure that the event tells of. What a reply says of itself has none.
func (m *move) signature() string {
	findings := m.e.Findings
	if m.e.Ended != nil {
		findings = m.e.Ended.Findings
	}
	if bad := blocking(findings, Standard); len(bad) > 0 {
		return signatureOfFindings(bad)
	}
	return signatureOfChecks(checksWith(m.e.Checks, CheckFailed, CheckTimedOut))
}

// signatureOfChecks names what failed by what the output says failed, the tests where it names them; "" where it says
// nothing.
func signatureOfChecks(failed []Check) string {
	var parts []string
	for _, c := range failed {
		said := c.Signature
		if said == "" {
			tests := slices.Sorted(slices.Values(c.FailedTests))
			said = strings.Join(tests, "\n")
		}
		if said != "" {
			parts = append(parts, c.name()+"\n"+said)
		}
	}
	return digest(parts)
}

// signatureOfFindings names a failure by what was found, and where; lines move too easily to count.
func signatureOfFindings(findings []Finding) string {
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
