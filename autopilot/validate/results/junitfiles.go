package results

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/plainfile"
)

// Reports are the files of JUnit XML that a command says it writes, as they were before it ran.
type Reports struct {
	folder   string
	patterns []string
	before   map[string]stamp
}

type stamp struct {
	modified time.Time
	size     int64
}

// FindReports looks at what a command will write. A report that is not written again is an old one, and not read.
func FindReports(folder, command string) Reports {
	place, text := whole(folder, command)
	r := Reports{folder: place, patterns: reportPatterns(place, text)}
	r.before = r.stamps()
	return r
}

// whole is a command with the npm scripts that it runs in place of their names, and the folder where it ends up.
func whole(folder, command string) (place, text string) {
	c, ok := readShell(command)
	if !ok {
		return folder, command
	}
	text = command
	for _, segment := range c {
		folder = segment.leads(folder)
		if script, is := ScriptOf(folder, segment); is {
			text += "\n" + script
		}
	}
	return folder, text
}

var (
	reportFlag = lazyregexp.New(`--(?:junit-?xml|junitfile|outputFile(?:\.junit)?|test-reporter-destination)[=\s]+["']?([^\s"',\]$]+\.xml)`)
	jestFlag   = lazyregexp.New(`\bJEST_JUNIT_OUTPUT_(FILE|DIR|NAME)=["']?([^\s"'$]+)`)
	writers    = []struct {
		command *lazyregexp.Regexp
		reports []string
	}{
		{lazyregexp.New(`(^|[\s/])mvnw?\b`), []string{"target/surefire-reports/TEST-*.xml", "target/failsafe-reports/TEST-*.xml", "*/target/surefire-reports/TEST-*.xml", "*/*/target/surefire-reports/TEST-*.xml"}},
		{lazyregexp.New(`(^|[\s/])gradlew?\b`), []string{"build/test-results/*/TEST-*.xml", "*/build/test-results/*/TEST-*.xml", "*/*/build/test-results/*/TEST-*.xml"}},
		{lazyregexp.New(`\bcargo nextest\b`), []string{"target/nextest/*/junit.xml"}},
	}
	pytestSettings = []string{"pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini"}
)

func reportPatterns(folder, text string) []string {
	var patterns []string
	if strings.Contains(text, "pytest") {
		for _, name := range pytestSettings {
			content, _ := plainfile.Read(filepath.Join(folder, name)) // most are not there
			text += "\n" + string(content)
		}
	}
	for _, m := range reportFlag.FindAllStringSubmatch(text, -1) {
		patterns = append(patterns, globQuote(filepath.FromSlash(m[1])))
	}
	if strings.Contains(text, "jest-junit") || strings.Contains(text, "JEST_JUNIT") {
		patterns = append(patterns, globQuote(jestReport(folder, text)))
	}
	for _, r := range writers {
		if r.command.MatchString(text) {
			patterns = append(patterns, r.reports...)
		}
	}
	return patterns
}

// jestReport is where jest-junit writes: by its variables, else by package.json, else junit.xml.
func jestReport(folder, text string) string {
	var pkg struct {
		Jest struct{ OutputFile, OutputDirectory, OutputName string } `json:"jest-junit"`
	}
	content, _ := plainfile.Read(filepath.Join(folder, "package.json"))
	_ = json.Unmarshal(content, &pkg) // without it the usual names stand
	for _, m := range jestFlag.FindAllStringSubmatch(text, -1) {
		switch m[1] {
		case "FILE":
			pkg.Jest.OutputFile = m[2]
		case "DIR":
			pkg.Jest.OutputDirectory = m[2]
		default:
			pkg.Jest.OutputName = m[2]
		}
	}
	if pkg.Jest.OutputFile != "" {
		return filepath.FromSlash(pkg.Jest.OutputFile)
	}
	if pkg.Jest.OutputName == "" {
		pkg.Jest.OutputName = "junit.xml"
	}
	return filepath.FromSlash(filepath.Join(pkg.Jest.OutputDirectory, pkg.Jest.OutputName))
}

// maxReports bounds how many files are looked at.
const maxReports = 5000

func (r Reports) stamps() map[string]stamp {
	found := map[string]stamp{}
	for _, pattern := range r.patterns {
		if !filepath.IsAbs(pattern) {
			pattern = filepath.Join(globQuote(r.folder), pattern)
		}
		names, _ := filepath.Glob(pattern)
		for _, name := range names[:min(len(names), maxReports)] {
			if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
				found[name] = stamp{info.ModTime(), info.Size()}
			}
		}
	}
	return found
}

// read reads the reports that the run wrote; nil where it wrote none.
func (r Reports) read() *programReport {
	x := &junitScanner{name: junitName(r.folder)}
	for name, now := range r.stamps() {
		if before, known := r.before[name]; known && before.modified.Equal(now.modified) && before.size == now.size {
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			continue // the output has to do
		}
		_, _ = io.Copy(x, f)
		f.Close()
		x.suites, x.test, x.in = nil, nil, inText
	}
	if len(x.results) == 0 {
		return nil
	}
	return &x.programReport
}

// globQuote keeps a root whose name has glob characters from being a pattern.
func globQuote(root string) string {
	quoted := make([]rune, 0, len(root))
	for _, c := range root {
		if os.PathSeparator == '/' && (c == '*' || c == '?' || c == '[' || c == '\\') {
			quoted = append(quoted, '\\')
		}
		quoted = append(quoted, c)
	}
	return string(quoted)
}
