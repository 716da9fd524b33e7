package integrity

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

var (
	// cannotFail ends in what hides the exit code of the command before it.
	cannotFail = lazily(`\|\|\s*(?:(?:/bin/)?true\b|:(?:\s|$|"|'|\))|(?:exit|return) 0|echo\b|printf\b|ver>nul)|;\s*(?:true|:|exit 0|return 0)\s*(?:"|'|$|\))|[^&|>]&\s*$`)
	// tolerant are settings and options by which a check succeeds whatever it finds.
	tolerant = lazily(`continue-on-error:\s*(?:true|\$)|allow_failure:\s*true|--passWithNoTests|--exit-zero|--pass-with-no-tests|--suppress-tests-failed|testFailureIgnore>true|ignoreFailures\s*=?\s*true|--no-fail-on\w*|-Dmaven\.test\.failure\.ignore`)
	aCheck   = lazily(`(?i)\b(go (test|vet|build)|\w*test\w*|lint\w*|\w*check\w*|vet|tsc|mypy|ruff|clippy|validate\w*|verify\w*)\b`)
	// noCheck begins a command that is none, whatever it is about.
	noCheck = lazily(`^\s*(?:-\s+)?(?:run:\s*)?(?:if |while |! )*\s*@?(?:sudo )?(?:rm|mkdir|rmdir|kill|pkill|killall|cp|mv|ln|cd|echo|printf|cat|tee|docker|podman|which|type|command -v|hash|test -|\[|grep|find|export|unset|git|curl|wget|sleep|touch|chmod|source|\.)(?:\s|$)`)
	// testProgram is a command that tests or checks code.
	testProgram = lazily(`\b(?:go (?:test|vet)|(?:python3? -m )?pytest|python3? -m unittest|npm (?:run )?(?:test|lint)|npm t|yarn (?:test|lint)|pnpm (?:test|lint)|bun test|node --test|deno test|cargo (?:nextest|test|clippy)|jest|vitest|mocha|mvnw? .*(?:test|verify)|gradlew? .*(?:test|check)|make (?:test|check|lint|ci|verify)|tox|nox|ruff|mypy|golangci-lint|staticcheck|eslint|tsc|phpunit|rspec|bats|ctest)\b`)
	// narrows are options that leave tests out.
	narrows = lazily(`\s-{1,2}(?:run|skip|short|k|t|deselect|ignore\S*|testNamePattern|testPathIgnorePatterns|testPathPattern|exclude\S*|grep|list|collect-only|co|no-run|listTests|DskipTests\S*|Dmaven\.test\.skip\S*)\b|\s-m\s*['"]?not\b|\s-x\s+test\b|\s-Dtest=|\s--tests\b|PYTEST_ADDOPTS=|GOFLAGS=\S*-(?:run|skip)`)
	// rewrites are options by which tests write what they expect.
	rewrites = lazily(`\s(?:-u\b|--updateSnapshot|--update-snapshots?|--snapshot-update|-update\b|--accept\b)|UPDATE_(?:SNAPSHOTS?|GOLDENS?|EXPECT)=|INSTA_UPDATE=(?:always|1)|INSTA_FORCE_PASS`)
)

var runsChecks = []string{
	"**/Makefile", "**/makefile", "**/GNUmakefile", "**/*.mk", "**/package.json", "**/{j,J}ustfile", "**/Taskfile.y{,a}ml", "**/*.{sh,bash,zsh}",
	"**/composer.json", "**/pyproject.toml", "**/Rakefile", "**/deno.json{,c}", "**/pom.xml", "**/build.gradle{,.kts}",
}

func isScript(c Change) bool {
	first, _, _ := bytes.Cut(c.After, []byte("\n"))
	return strings.HasSuffix(c.Path, "sh") && strings.Contains(c.Path, ".") || bytes.HasPrefix(first, []byte("#!")) && bytes.HasSuffix(bytes.TrimSpace(first), []byte("sh"))
}

// neutralised finds lines that are new and make a check unable to fail. Naming
// the file in the plan does not excuse them.
func neutralised(c Change) []Finding {
	if c.Status == Deleted || !isGuarded(c.Path) && !matchesGlobs(runsChecks, c.Path) && !isScript(c) {
		return nil
	}
	var found []Finding
	for _, l := range newLines(c) {
		text := strings.TrimSpace(l.text)
		if strings.HasPrefix(text, "#") || strings.HasPrefix(text, "//") {
			continue
		}
		if tolerant.MatchString(text) || hidesExit(l.text) || strings.HasSuffix(c.Path, "akefile") && ignoredRecipe.MatchString(l.text) {
			found = append(found, Finding{
				Critical, c.Path, l.number, "a check can no longer fail",
				fmt.Sprintf("The new line %q hides the exit code of a check.", text),
			})
		}
	}
	if isScript(c) {
		found = append(found, trapped(c)...)
	}
	return found
}

// ignoredRecipe: make takes a minus before a command for "whatever it returns".
var ignoredRecipe = lazily(`^\t[@+]*-[@+\s]*\S*(?:go (?:test|vet)|pytest|npm|cargo|mvn|gradle|tox|lint|test|check)|^\.IGNORE\s*:|^MAKEFLAGS\s*\+?=.*(?:-i\b|ignore-errors)|^SHELL\s*:?=.*\b(?:true|echo)\b`)

// hidesExit looks at the command right before what hides its exit code.
func hidesExit(text string) bool {
	for _, at := range cannotFail.FindAllStringIndex(text, -1) {
		before := text[:at[0]]
		for _, joint := range []string{"&&", "||", ";", "|", "`", "$("} {
			before = before[strings.LastIndex(before, joint)+1:]
		}
		before = strings.TrimLeft(before, "&|(")
		if aCheck.MatchString(before) && !noCheck.MatchString(before) {
			return true
		}
	}
	return false
}

var (
	exitTrap = lazily(`^\s*trap\s.*(?:\bexit(?: 0)?\s*;?\s*['"]|['"]?\b(?:true|:)['"]?)\s+.*\b(?:EXIT|ERR|0)\b`)
	exitsNow = lazily(`^(?:exit|return)(?: 0)?\s*;?\s*$`)
	noErrors = lazily(`^\s*set\s+(?:\+e|\+o errexit)`)
	onErrors = lazily(`^\s*set\s+-\w*e|^\s*set\s+-o errexit|^#!.*\s-\w*e`)
)

// trapped finds new lines of a shell script by which its checks no longer decide
// how it ends.
func trapped(c Change) []Finding {
	lines := strings.Split(string(c.After), "\n")
	strict := slices.ContainsFunc(lines, onErrors.MatchString)
	var found []Finding
	for _, l := range newLines(c) {
		above, below := checksAmong(lines[:l.number-1]), checksAmong(lines[l.number:])
		f := Finding{Critical, c.Path, l.number, "a check can no longer fail", fmt.Sprintf("The new line %q decides how the script ends.", strings.TrimSpace(l.text))}
		switch {
		case exitTrap.MatchString(l.text) && (above || below),
			exitsNow.MatchString(l.text) && (below || above && !strict):
			found = append(found, f)
		case noErrors.MatchString(l.text) && below:
			f.Severity = Important
			found = append(found, f)
		}
	}
	return found
}

func checksAmong(lines []string) bool {
	return slices.ContainsFunc(lines, func(text string) bool {
		return testProgram.MatchString(text) && !strings.HasPrefix(strings.TrimSpace(text), "#")
	})
}

// editedCommands compares the commands of scripts that test or check: one that is
// gone, or leaves tests out, is critical; one that became another is a doubt.
func editedCommands(c Change) []Finding {
	if c.Status == Added || !isScript(c) && !isScript(Change{Path: c.before(), After: c.Before}) && !matchesGlobs([]string{"**/*.mk", "**/{j,J}ustfile", "**/Taskfile.y{,a}ml", "**/Rakefile"}, c.before()) {
		return nil
	}
	fresh := newLines(c)
	var found []Finding
	for _, old := range newLines(Change{Before: c.After, After: c.Before}) {
		program := testProgram.FindString(old.text)
		if program == "" || strings.HasPrefix(strings.TrimSpace(old.text), "#") {
			continue
		}
		f := Finding{
			Critical, c.before(), 0, "a command that checks was removed",
			fmt.Sprintf("Gone is %q, and the plan does not name the file.", strings.TrimSpace(old.text)),
		}
		for _, l := range fresh {
			if strings.Contains(l.text, program) && !strings.HasPrefix(strings.TrimSpace(l.text), "#") {
				f.Severity, f.Line, f.Title = Important, l.number, "a command that checks was changed"
				if narrows.MatchString(l.text) && !narrows.MatchString(old.text) || rewrites.MatchString(l.text) && !rewrites.MatchString(old.text) {
					f.Severity = Critical
				}
				break
			}
		}
		if f.Line == 0 {
			f.Line = old.number
		}
		found = append(found, f)
	}
	return found
}
