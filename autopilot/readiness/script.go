package readiness

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/evidence"
	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/project"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/words"
	"autopilot/autopilot/worktree"
)

// scriptName is the script as people know it.
const scriptName = ".harness/" + worktree.InitScript

// initLog is the file in the session's folder that has the script's output.
const initLog = "init.log"

// IsScript refuses a pipe, a folder or the like where a script belongs: a shell would wait for somebody to write into it.
// Name is how people know the script, again the command that was theirs.
func IsScript(path, name, again string) error {
	err := plainfile.Check(path)
	if err == nil {
		return nil
	}
	return halt.Usage("%s cannot be run: %v. Put a script in its place, or remove it, then run the same command again: %s", name, err, again)
}

// Made is what making the working tree ready came to.
type Made struct {
	ByProducts []string // untracked files that the script left behind
	Touched    []string // tracked files that it changed: nobody's work either
	lines      []journal.ProgressLine
	err        error // the script failed twice
}

// Make runs the script that makes the working tree ready, where there is one, at the start of each run; failing,
// it runs once more. What was untracked before is no by-product. An error is what kept it from being tried.
func (in Readiness) Make(ctx context.Context, untracked func(context.Context) ([]string, error)) (Made, error) {
	var r Made
	script := filepath.Join(in.Harness, worktree.InitScript)
	if _, err := os.Stat(script); err != nil || in.furnishedOtherwise() {
		return r, nil // no script, nothing to run
	}
	if err := IsScript(script, scriptName, "autopilot "+shell.QuotePath(in.Checks.Journal.State().SpecPath)); err != nil {
		return r, err
	}
	before, err := untracked(ctx)
	if err != nil {
		return r, err
	}
	status, err := in.Checks.Repo.Tree.Status(ctx)
	if err != nil {
		return r, err
	}
	log := filepath.Join(in.Checks.Records.Dir(), initLog)
	if err := plainfile.File(log); err != nil {
		return r, err
	}
	out, err := plainfile.Create(log)
	if err != nil {
		return r, err
	}
	defer out.Close()
	in.Checks.Journal.Note("info", "Running "+scriptName+".")
	if err := in.tryScript(ctx, script, out, &r); err != nil {
		return r, err
	}
	after, err := in.Checks.Repo.Tree.Status(ctx)
	if err != nil {
		return r, err
	}
	known := git.Paths(status.Dirt)
	for _, c := range after.Dirt {
		switch {
		case c.Untracked && !slices.Contains(before, c.Path):
			r.ByProducts = append(r.ByProducts, c.Path)
		case !c.Untracked && !slices.Contains(known, c.Path):
			r.Touched = append(r.Touched, c.Path)
		}
	}
	return r, nil
}

// furnishedOtherwise: in a working tree of the session's own, a configured setup stands for the script.
func (in Readiness) furnishedOtherwise() bool {
	return in.Checks.Journal.State().WorkTree != "" && in.SetUp
}

// tryScript runs the script up to twice. Each failure is a line of the log.
func (in Readiness) tryScript(ctx context.Context, script string, out io.Writer, r *Made) error {
	runner := in.Checks.Runner
	one := in.Checks.Limit([]validate.Validation{{Command: worktree.ScriptCommand(script), Source: scriptName, ByCode: true}})[0]
	for try := 1; try <= 2; try++ {
		fmt.Fprintf(out, "$ %s\n", one.Command)
		said := evidence.NewLimited(out)
		runner.Live = said
		ev := runner.Run(ctx, in.Checks.Repo.Root(), one)
		_ = said.Close() // people find it there; nothing rests on it
		switch ev.Outcome {
		case validate.Interrupted:
			return &halt.InterruptedError{Cause: ctx.Err()}
		case validate.Passed:
			r.lines = append(r.lines, journal.ProgressLine{Type: "INIT", Message: fmt.Sprintf("%s passed in %s", scriptName, ev.Duration.Round(100*time.Millisecond))})
			return nil
		}
		why := scriptFailure(ev)
		r.lines = append(r.lines, journal.ProgressLine{Type: "ERROR", Category: "ENV_SETUP", Message: fmt.Sprintf("%s, try %d of 2: %s", scriptName, try, why)})
		if try == 1 {
			in.Checks.Journal.Note("warning", fmt.Sprintf("%s failed (%s); once more.", scriptName, why))
			continue
		}
		r.err = in.notReady(why, ev)
	}
	return nil
}

func scriptFailure(ev validate.Evidence) string {
	if ev.Outcome == validate.Failed {
		return fmt.Sprintf("exit code %d", ev.ExitCode)
	}
	return strings.TrimSuffix(ev.Reason, ".")
}

// lastLines is how many lines of a script's output stand in an error.
const lastLines = 10

func (in Readiness) notReady(why string, ev validate.Evidence) error {
	lines := strings.Split(strings.TrimSpace(ev.Output), "\n")
	if n := len(lines); n > lastLines {
		lines = lines[n-lastLines:]
	}
	return fmt.Errorf("%s failed twice (%s), so the working tree is not ready. Its last words:\n%s\nAll of its output: %s\nFix the script, or remove it, then run the same command again: autopilot %s",
		scriptName, why, strings.Join(lines, "\n"), in.Checks.Journal.State().SessionDir+"/"+initLog, shell.QuotePath(in.Checks.Journal.State().SpecPath))
}

// Tell logs how the script went, once the run is recorded, and ends the run where it failed.
func (in Readiness) Tell(r Made) error {
	for _, line := range r.lines {
		in.Checks.Journal.Progress(line)
	}
	if len(r.Touched) > 0 {
		in.Checks.Journal.Note("warning", fmt.Sprintf("%s changed files that git tracks, which are kept out of the commits: %s", scriptName, strings.Join(words.FirstFew(r.Touched, 8), ", ")))
	}
	return r.err
}

// DescribeProject writes the project's profile where there is none yet. A run does without it, if it has to.
func (in Readiness) DescribeProject(ctx context.Context) {
	if _, err := os.Lstat(filepath.Join(in.Harness, project.Name)); err == nil {
		return // it is brought up to date by init, on a person's word: a session beside this one may be reading it
	}
	_, _, remark, err := project.Update(ctx, in.Checks.Repo, in.Harness)
	switch {
	case err != nil:
		in.Checks.Journal.Note("warning", fmt.Sprintf("%s could not be written: %v", project.Name, err))
	case remark != "":
		in.Checks.Journal.Note("warning", remark)
	}
}
