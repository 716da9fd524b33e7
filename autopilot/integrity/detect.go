package integrity

import (
	"fmt"
	"path"
	"strings"
)

// support are files beside tests that may know of them, and configuration that
// programs read when they test.
var support = []string{
	"**/{test,tests,testing,testutil,testutils,testhelper,testhelpers,testsupport,testdata,fixtures,__mocks__,__tests__,e2e,spec,bench,benches}/**",
	"**/*{test,tests,testing,testutil,mock,mocks}.*", "**/conftest.py", "**/{noxfile,setup,manage}.py", "**/*.config.*", "**/*.setup.*", "**/build.rs",
	"**/.*rc.*", "**/{jest,vitest,karma,mocha}*", "**/*.stories.*", "**/*.d.ts",
}

// detectFindings finds code that asks whether a test is running, and linters
// that are switched off for a whole file.
func detectFindings(c Change, a Allowed) []Finding {
	l := languageOf(c.Path)
	if l == nil || c.Status == Deleted || a.testAnnounced(c.Path) {
		return nil
	}
	found := silenced(l, c)
	if l.name != "Rust" && isTestFile(c.Path) || matchesGlobs(support, c.Path) {
		return found
	}
	content := string(c.After)
	if !l.is(detects).possible(content) && !l.is(perhapsDetects).possible(content) {
		return found
	}
	blanked := strings.Split(l.blank(content), "\n")
	for _, n := range newLines(c) {
		if f, is := l.detected(blanked, n.number-1); is {
			f.File = c.Path
			found = append(found, f)
		}
	}
	return found
}

// detected looks at line i of a file without its comments.
func (l *language) detected(lines []string, i int) (Finding, bool) {
	text := lines[i]
	if i+1 < len(lines) {
		text += "\n" + lines[i+1]
	}
	first := func(k kind) bool {
		at := l.is(k).index(text)
		return at >= 0 && at < len(lines[i])
	}
	why := fmt.Sprintf("%q behaves otherwise in a test than for a user.", strings.TrimSpace(lines[i]))
	switch {
	case first(detects):
		return Finding{Severity: Critical, Line: i + 1, Title: "the code asks whether a test is running", Rationale: why}, true
	case first(perhapsDetects):
		return Finding{Severity: Important, Line: i + 1, Title: "the code may ask whether a test is running", Rationale: why}, true
	}
	return Finding{}, false
}

func silenced(l *language, c Change) []Finding {
	if !l.is(silences).possible(string(c.After)) {
		return nil
	}
	for _, n := range newLines(c) {
		if l.is(silences).match(n.text) {
			return []Finding{{
				Important, c.Path, n.number, "a linter was switched off for " + path.Base(c.Path),
				fmt.Sprintf("%q silences more than one remark.", strings.TrimSpace(n.text)),
			}}
		}
	}
	return nil
}
