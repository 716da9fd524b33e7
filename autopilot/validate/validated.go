package validate

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"

	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/process"
)

// scriptsFolder holds the repository's own checks.
const scriptsFolder = ".harness/validate.d"

// OwnScripts are the paths of the scripts there, with slashes and relative to root, in order of their names.
func OwnScripts(root string) []string {
	scripts, _ := fs.Glob(os.DirFS(root), scriptsFolder+"/*.sh") // the pattern is well formed
	return scripts
}

// ValidateD runs the repository's own scripts, .harness/validate.d/*.sh, in root
// and in order of their names, with the base commit as their argument. Exit code
// 0 passes, 1 fails, 2 and above warns. A script that a signal ended counts as 1.
// One that cannot start, 126 and 127 included, could not check.
func (r Runner) ValidateD(ctx context.Context, root, base string) []Evidence {
	var all []Evidence
	for _, name := range OwnScripts(root) {
		script := filepath.Join(root, filepath.FromSlash(name))
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
	}
	return all
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
