package integrity

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// isRunData: the program's own files are no part of any diff.
func isRunData(p string) bool {
	return strings.HasPrefix(p, ".harness/") || isStandAloneTask(p)
}

func isStandAloneTask(p string) bool {
	ok, _ := doublestar.Match("harness-*.{json,txt}", p)
	return ok
}

// isControl: what steers the program, so the inbox (for people) and out (for
// agents) are none.
func isControl(p string) bool {
	if p == "autopilot.yaml" || isStandAloneTask(p) {
		return true
	}
	inbox, _ := doublestar.Match(".harness/sessions/*/inbox/**", p)
	return strings.HasPrefix(p, ".harness/") && !inbox &&
		!strings.HasPrefix(p, ".harness/out/") && !strings.HasPrefix(p, ".harness/worktrees/")
}

// guardedFolders and guardedFiles decide as a whole what is checked.
var (
	guardedFolders = []string{".github/workflows", ".github/actions", ".circleci", ".buildkite", ".woodpecker", ".husky", ".ci"}
	guardedFiles   = []string{
		".gitlab-ci.y{,a}ml", "azure-pipelines.y{,a}ml", "bitbucket-pipelines.yml", ".travis.yml", ".drone.yml", "Jenkinsfile",
		"**/pytest.ini", "**/tox.ini", "**/noxfile.py", "**/.coveragerc", "**/.golangci.{yml,yaml,toml,json}",
		"**/jest.config.*", "**/vitest.config.*", "**/vitest.workspace.*", "**/.mocharc*", "**/karma.conf.*", "**/playwright.config.*", "**/cypress.config.*",
		"**/.eslintrc*", "**/eslint.config.*", "**/.rspec", "**/phpunit.xml*", "**/codecov.yml", "**/.pre-commit-config.yaml", "**/.config/nextest.toml",
		"**/.{nycrc,c8rc,flake8,pylintrc,pytest.ini,stylelintrc,jshintrc,oxlintrc}*", "**/{mypy.ini,pytest.toml,ruff.toml,.ruff.toml,clippy.toml,.clippy.toml,deny.toml,biome.json,biome.jsonc}",
		"**/.rubocop.yml", "**/{checkstyle,pmd,spotbugs,detekt}*.{xml,yml}", "**/lefthook.y{,a}ml", "**/sonar-project.properties", "**/.cargo/config{,.toml}",
		"**/phpstan.neon*", "**/.swiftlint.yml", "**/{wdio,stryker,nightwatch}.conf*", "**/junit-platform.properties",
	}
)

// Guards says whether a file decides how a project is checked, or what this program does: a plan that names it is shown.
func Guards(p string) bool {
	return isGuarded(p) || isControl(p) || slices.Contains([]string{"Makefile", "makefile", "GNUmakefile"}, path.Base(p))
}

func isGuardedFolder(p string) bool {
	if strings.HasPrefix(p, ".husky/_/") { // made by each installation, and ignored by git
		return false
	}
	return slices.ContainsFunc(guardedFolders, func(dir string) bool { return p == dir || strings.HasPrefix(p, dir+"/") })
}

func isGuarded(p string) bool {
	return isGuardedFolder(p) || slices.ContainsFunc(guardedFiles, func(pattern string) bool {
		ok, _ := doublestar.Match(pattern, p)
		return ok
	})
}

// guardFindings compares whole files where they decide what is checked, and in
// manifests the parts that do. A file that is new is no change of a check; new
// lines count where they leave something out.
func guardFindings(c Change, a Allowed) []Finding {
	found := neutralised(c)
	if a.names(c.before()) {
		return found
	}
	if c.Status != Added && isGuarded(c.before()) {
		return append(found, Finding{
			Critical, c.before(), firstDifference(c), "a CI or validation file was " + string(c.Status),
			"It decides what is checked, and the plan does not name it.",
		})
	}
	found = append(found, lessened(c)...)
	if c.Status == Added {
		return found
	}
	for _, p := range checkParts(c) {
		found = append(found, Finding{
			Critical, c.before(), p.line, p.name + " was changed",
			"It decides what is checked, and the plan does not name " + path.Base(c.before()) + ".",
		})
	}
	found = append(found, lowered(c)...)
	return append(found, editedCommands(c)...)
}

type line struct {
	number int // 1-based
	text   string
}

// newLines are the lines of the new content that the old one does not have,
// wherever they stand.
func newLines(c Change) []line {
	had := map[string]int{}
	for text := range strings.Lines(string(c.Before)) {
		had[strings.TrimSpace(text)]++
	}
	var found []line
	number := 0
	for text := range strings.Lines(string(c.After)) {
		number++
		if key := strings.TrimSpace(text); had[key] > 0 {
			had[key]--
		} else {
			found = append(found, line{number, strings.TrimRight(text, "\r\n")})
		}
	}
	return found
}

// firstDifference is a line of the new content, or 0 when that is gone or the same.
func firstDifference(c Change) int {
	if c.Status == Deleted {
		return 0
	}
	before, after := strings.Split(string(c.Before), "\n"), strings.Split(string(c.After), "\n")
	for i := range after {
		if i >= len(before) || before[i] != after[i] {
			return i + 1
		}
	}
	if len(before) > len(after) {
		return len(after)
	}
	return 0
}
