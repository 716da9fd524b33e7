package autopilot

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

// readiness is what making the working tree ready came to.
type readiness struct {
	byProducts []string // untracked files that the script left behind
	touched    []string // tracked files that it changed: nobody's work either
	lines      []journal.ProgressLine
	err        error // the script failed twice
}

// makeReady runs the script that makes the working tree ready, where there is one, at the start of each run; failing,
// it runs once more. An error is what kept it from being tried.
func (e *Engine) makeReady(ctx context.Context) (readiness, error) {
	var r readiness
	script := filepath.Join(e.Harness, worktree.InitScript)
	if _, err := os.Stat(script); err != nil || e.furnishedOtherwise() {
		return r, nil // no script, nothing to run
	}
	if err := IsScript(script, scriptName, "autopilot "+shell.QuotePath(e.Journal.State().SpecPath)); err != nil {
		return r, err
	}
	before, err := e.changes().BeforeCheck(ctx)
	if err != nil {
		return r, err
	}
	status, err := e.Repo.Tree.Status(ctx)
	if err != nil {
		return r, err
	}
	log := filepath.Join(e.Records.Dir(), initLog)
	if err := plainfile.File(log); err != nil {
		return r, err
	}
	out, err := os.Create(log)
	if err != nil {
		return r, err
	}
	defer out.Close()
	e.Journal.Note("info", "Running "+scriptName+".")
	if err := e.tryScript(ctx, script, out, &r); err != nil {
		return r, err
	}
	after, err := e.Repo.Tree.Status(ctx)
	if err != nil {
		return r, err
	}
	known := git.Paths(status.Dirt)
	for _, c := range after.Dirt {
		switch {
		case c.Untracked && !slices.Contains(before, c.Path):
			r.byProducts = append(r.byProducts, c.Path)
		case !c.Untracked && !slices.Contains(known, c.Path):
			r.touched = append(r.touched, c.Path)
		}
	}
	return r, nil
}

// furnishedOtherwise: in a working tree of the session's own, a configured setup stands for the script.
func (e *Engine) furnishedOtherwise() bool {
	return e.Journal.State().WorkTree != "" && e.Settings.WorktreeSetup.Command != ""
}

// tryScript runs the script up to twice. Each failure is a line of the log.
func (e *Engine) tryScript(ctx context.Context, script string, out io.Writer, r *readiness) error {
	runner := e.Checks
	one := e.checks().Limit([]validate.Validation{{Command: worktree.ScriptCommand(script), Source: scriptName, ByCode: true}})[0]
	for try := 1; try <= 2; try++ {
		fmt.Fprintf(out, "$ %s\n", one.Command)
		said := evidence.NewLimited(out)
		runner.Live = said
		ev := runner.Run(ctx, e.Repo.Root(), one)
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
			e.Journal.Note("warning", fmt.Sprintf("%s failed (%s); once more.", scriptName, why))
			continue
		}
		r.err = e.notReady(why, ev)
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

func (e *Engine) notReady(why string, ev validate.Evidence) error {
	lines := strings.Split(strings.TrimSpace(ev.Output), "\n")
	if n := len(lines); n > lastLines {
		lines = lines[n-lastLines:]
	}
	return fmt.Errorf("%s failed twice (%s), so the working tree is not ready. Its last words:\n%s\nAll of its output: %s\nMend the script, or remove it, then run the same command again: autopilot %s",
		scriptName, why, strings.Join(lines, "\n"), e.Journal.State().SessionDir+"/"+initLog, shell.QuotePath(e.Journal.State().SpecPath))
}

// tellReady logs how the script went, once the run is recorded, and ends the run where it failed.
func (e *Engine) tellReady(r readiness) error {
	for _, line := range r.lines {
		e.Journal.Progress(line)
	}
	if len(r.touched) > 0 {
		e.Journal.Note("warning", fmt.Sprintf("%s changed files that git tracks, which are kept out of the commits: %s", scriptName, strings.Join(words.FirstFew(r.touched, 8), ", ")))
	}
	return r.err
}

// beginRun makes the working tree ready and records that a run took up the session; foreign is what a human changed.
func (e *Engine) beginRun(ctx context.Context, foreign []string) error {
	if len(e.Journal.State().InFlight) == 0 { // else what appears would be taken for the agent's
		e.describeProject(ctx)
	}
	r, err := e.makeReady(ctx)
	if err != nil {
		return err
	}
	if err := e.runStarted(ctx, append(slices.Clone(foreign), r.touched...), r.byProducts); err != nil {
		return err
	}
	s := e.Journal.State()
	e.Journal.Progress(journal.ProgressLine{Type: "INIT", Message: fmt.Sprintf("%s %s", s.CurrentState, s.Step)})
	return e.tellReady(r)
}

// describeProject writes the project's profile where there is none yet. A run does without it, if it has to.
func (e *Engine) describeProject(ctx context.Context) {
	if _, err := os.Lstat(filepath.Join(e.Harness, project.Name)); err == nil {
		return // it is brought up to date by init, on a person's word: a session beside this one may be reading it
	}
	_, _, remark, err := project.Update(ctx, e.Repo, e.Harness)
	switch {
	case err != nil:
		e.Journal.Note("warning", fmt.Sprintf("%s could not be written: %v", project.Name, err))
	case remark != "":
		e.Journal.Note("warning", remark)
	}
}
