package integrity

import (
	"fmt"
	"strconv"
	"strings"
)

// setting is a line that lessens what is checked, in files that are about other
// things as well. A new kind of file is a row more.
type setting struct {
	files   []string
	lessens *lazyPattern
}

var settings = []setting{
	{[]string{"**/pom.xml"}, lazily(`<(?:skip|skipTests|skipITs|maven\.test\.skip|testFailureIgnore)>\s*true|<haltOnFailure>\s*false|<failIfNoTests>\s*false`)},
	{[]string{"**/build.gradle{,.kts}"}, lazily(`\bignoreFailures\b.*true|\bexclude(?:TestsMatching)?\b.*[Tt]est|\benabled\s*=\s*false|\bonlyIf\s*\{\s*false|\bexcludeTags\b|\bfailOnNoMatchingTests\b.*false`)},
	{[]string{"**/tsconfig*.json"}, lazily(`"(?:strict\w*|no(?:Implicit|Unused|Unchecked|Fallthrough)\w*|checkJs)"\s*:\s*false|"noCheck"\s*:\s*true`)},
	{[]string{"**/vite.config.*"}, lazily(`\bpassWithNoTests:\s*true|\bexclude:.*(?:test|spec)|\btestNamePattern\b`)},
	{[]string{"**/Cargo.toml"}, lazily(`^\s*(?:autotests|test|harness|doctest)\s*=\s*false`)},
	{[]string{"**/.npmrc"}, lazily(`script-shell|ignore-scripts`)},
	{[]string{"**/.env{,.*}", "**/.envrc", "**/*.env"}, lazily(`\bGOFLAGS=.*-(?:run|skip|short)|\bPYTEST_ADDOPTS=|\bRUSTFLAGS=.*--cfg|\bMAVEN_ARGS=.*skip`)},
	{
		[]string{"**/pytest.ini", "**/.pytest.ini", "**/tox.ini", "**/setup.cfg", "**/pytest.toml"},
		lazily(`(?:addopts\s*=.*|^\s+|\s)(?:-k\b|--deselect|--ignore\S*|-m\s*['"]?not\b|--co\b|--collect-only)|^\s*collect_ignore|^\s*python_(?:files|functions|classes)\s*=`),
	},
	{[]string{"**/jest.config.*", "**/vitest.config.*", "**/playwright.config.*", "**/.mocharc*"}, lazily(`\b(?:testPathIgnorePatterns|testIgnore|testNamePattern|grepInvert|passWithNoTests\W+true)\b`)},
	{[]string{"**/.cargo/config{,.toml}"}, lazily(`^\s*(?:test|t|runner|clippy)\s*=`)},
}

// vendored is what runners pass over anyway; to say so leaves out no test.
var vendored = lazily(`node_modules|/dist/|/build/|\.next|e2e|\bcoverage\b`)

// lessened finds such lines where they are new, in new files as well.
func lessened(c Change) []Finding {
	if c.Status == Deleted {
		return nil
	}
	var found []Finding
	for _, s := range settings {
		if !matchesGlobs(s.files, c.Path) {
			continue
		}
		for _, l := range newLines(c) {
			text := strings.TrimSpace(l.text)
			if s.lessens.MatchString(l.text) && !vendored.MatchString(text) && !strings.HasPrefix(text, "#") && !strings.HasPrefix(text, "//") {
				found = append(found, Finding{Critical, c.Path, l.number, "less is checked than before", fmt.Sprintf("%q leaves something out, and the plan does not name the file.", text)})
			}
		}
	}
	return found
}

var (
	least = lazily(`(?i)(?:fail[_-]?under|threshold|minimum|min[_-]?coverage|coverage|statements|branches|functions|lines)\S*?["']?[\s=:>]+["']?(\d[\d.]*)`)
	most  = lazily(`(?i)(?:max[_-]warnings|max[_-]?complexity|max[_-]?failures|retries|retry)["']?[\s=:>]+(\d[\d.]*)`)
)

// lowered finds thresholds of manifests and build files that let more pass.
func lowered(c Change) []Finding {
	if c.Status != Modified || !matchesGlobs(runsChecks, c.Path) && !isScript(c) {
		return nil
	}
	gone := map[string][]string{}
	for _, l := range newLines(Change{Before: c.After, After: c.Before}) {
		gone[shape(l.text)] = append(gone[shape(l.text)], l.text)
	}
	var found []Finding
	for _, l := range newLines(c) {
		old := gone[shape(l.text)]
		if len(old) == 0 {
			continue
		}
		gone[shape(l.text)] = old[1:]
		if wider(groupsOf(least, old[0]), groupsOf(least, l.text), -1) || wider(groupsOf(most, old[0]), groupsOf(most, l.text), 1) {
			found = append(found, Finding{
				Critical, c.Path, l.number, "a threshold was lowered",
				fmt.Sprintf("%q was %q, and the plan does not name the file.", strings.TrimSpace(l.text), strings.TrimSpace(old[0])),
			})
		}
	}
	return found
}

func groupsOf(re *lazyPattern, text string) []string {
	var found []string
	for _, m := range re.FindAllStringSubmatch(text, -1) {
		found = append(found, m[1])
	}
	return found
}

var numeral = lazily(`\d[\d._]*`)

// shape is a line without its numbers.
func shape(text string) string { return numeral.ReplaceAllString(strings.TrimSpace(text), "#") }

// wider says whether one of the numbers changed to where the sign points.
func wider(before, after []string, sign float64) bool {
	for i := range min(len(before), len(after)) {
		x, errX := strconv.ParseFloat(strings.TrimRight(before[i], "."), 64)
		y, errY := strconv.ParseFloat(strings.TrimRight(after[i], "."), 64)
		if errX == nil && errY == nil && sign*y > sign*x {
			return true
		}
	}
	return false
}
