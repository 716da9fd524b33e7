package check

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/process"
)

// scriptsFolder holds the repository's own checks.
const scriptsFolder = ".harness/validate.d"

// ownScripts are the paths of the scripts there, in order of their names.
func ownScripts(root string) []string {
	scripts, _ := filepath.Glob(filepath.Join(globQuote(root), filepath.FromSlash(scriptsFolder), "*.sh"))
	return scripts
}

// ValidateD runs the repository's own scripts, .harness/validate.d/*.sh, in root
// and in order of their names, with the base commit as their argument. Exit code
// 0 passes, 1 is a critical finding, 2 and above an important one that is to be
// a warning. A script that a signal or the time limit ended counts as 1. One that
// cannot start, 126 and 127 included, could not check and has no finding: its
// evidence says so.
func (r Runner) ValidateD(ctx context.Context, root, base string) ([]Evidence, []Finding) {
	scripts := ownScripts(root)
	var all []Evidence
	var findings []Finding
	for _, script := range scripts {
		name := scriptsFolder + "/" + filepath.Base(script)
		c := process.Shell("", root)
		c.Argv = []string{c.Argv[0], script, base}
		// An executable script chooses its interpreter by its first line.
		if info, err := os.Stat(script); err == nil && info.Mode()&0o111 != 0 {
			c.Argv = []string{script, base}
		}
		v := Validation{Command: name + " " + base, Source: scriptsFolder}
		e := Evidence{Command: v.Command, Source: v.Source, ExitCode: -1, StartedAt: r.Now(), Outcome: CouldNotCheck}
		if err := plainfile.Check(script); err != nil { // sh would wait for somebody to write into a pipe
			e.Reason = err.Error() + "; put a script in its place, or remove it"
		} else if e = r.run(ctx, c, v); e.Outcome == "" {
			e.Outcome, e.Reason = judgeScript(e.ExitCode)
		}
		all = append(all, e)
		if f, is := scriptFinding(name, e); is {
			findings = append(findings, f)
		}
	}
	return all, findings
}

func judgeScript(code int) (Outcome, string) {
	switch {
	case code == 0:
		return Passed, ""
	case code == cannotExecute, code == commandNotFound:
		return CouldNotCheck, "a program that it needs is missing or not executable; install it or correct the script"
	case code == 1, code > 128:
		return Failed, ""
	}
	return Warned, ""
}

func scriptFinding(name string, e Evidence) (Finding, bool) {
	f := Finding{File: name, Rationale: e.Output}
	switch e.Outcome {
	case Failed:
		f.Severity, f.Title = Critical, fmt.Sprintf("%s failed", name)
	case TimedOut:
		f.Severity, f.Title, f.Rationale = Critical, fmt.Sprintf("%s did not end", name), e.Reason
	case Warned:
		f.Severity, f.Title = Important, fmt.Sprintf("%s warns (exit code %d)", name, e.ExitCode)
	default:
		return Finding{}, false
	}
	return f, true
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
