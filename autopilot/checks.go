package autopilot

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/check"
	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
)

type change = git.Change

// maxDetail is how much of a command's output stands in the state, in bytes; the whole of it is in the attempt's log.
const maxDetail = 4000

// outcomes are the words of package check in those of the core.
var outcomes = map[check.Outcome]string{
	check.Passed: machine.CheckPassed, check.Failed: machine.CheckFailed, check.CouldNotCheck: machine.CheckCouldNot,
	check.NothingToRun: machine.CheckNothing, check.TimedOut: machine.CheckTimedOut, check.Warned: machine.CheckPassed,
}

// runChecks runs commands one after the other and compares each with the baseline. log, in the session's folder,
// gets the whole output. Untracked files that appear meanwhile are by-products. With untilFailure the first command
// that does not pass is the last to run.
func (e *Engine) runChecks(ctx context.Context, root string, list []check.Validation, log string, untilFailure bool) ([]machine.Check, []string, error) {
	before, err := e.beforeCheck(ctx)
	if err != nil {
		return nil, nil, err
	}
	out, err := openLog(filepath.Join(e.Records.Dir(), log))
	if err != nil {
		return nil, nil, err
	}
	defer out.Close()
	runner := e.Checks
	runner.Live = out
	var checks []machine.Check
	for _, v := range check.Distinct(list) {
		fmt.Fprintf(out, "$ %s\n", v.Command)
		evidence := runner.Run(ctx, root, v)
		if evidence.Outcome == check.Interrupted {
			return nil, nil, &InterruptedError{Cause: ctx.Err()}
		}
		c := e.judge(evidence)
		checks = append(checks, c)
		e.noteCheck(c)
		if untilFailure && c.Outcome != machine.CheckPassed && c.Outcome != machine.CheckNothing && c.Outcome != machine.CheckKnownFailure {
			break
		}
	}
	after, err := e.untracked(ctx)
	if err != nil {
		return nil, nil, err
	}
	return checks, newIn(after, before), nil
}

func openLog(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
}

// judge is a piece of evidence in the words of the core: a failure that the baseline had, test by test, is a known
// one; where the output names no tests, a command that was red stays red and shows nothing.
func (e *Engine) judge(ev check.Evidence) machine.Check {
	c := machine.Check{
		Command: ev.Command, Dir: ev.Dir, Outcome: outcomes[ev.Outcome], ExitCode: ev.ExitCode, Seconds: ev.Duration.Seconds(),
		FailedTests: ev.FailedTests, Signature: ev.Signature,
	}
	if c.Outcome != machine.CheckPassed {
		c.Detail = strings.TrimSpace(ev.Reason + "\n" + headTail(ev.Output, maxDetail))
	}
	b := e.state().Baseline
	if b == nil || c.Outcome != machine.CheckFailed {
		return c
	}
	for _, old := range b.Checks {
		if old.Command != c.Command || !sameDir(old.Dir, c.Dir) || old.Outcome != machine.CheckFailed {
			continue
		}
		switch {
		case len(old.FailedTests) == 0 && len(c.FailedTests) == 0:
			c.Outcome = machine.CheckBaselineRed
		case check.NoWorse(asEvidence(old), ev):
			c.Outcome = machine.CheckKnownFailure
		}
	}
	return c
}

func asEvidence(c machine.Check) check.Evidence {
	return check.Evidence{
		Command: c.Command, Dir: c.Dir, Outcome: check.Failed, ExitCode: c.ExitCode, FailedTests: c.FailedTests, Signature: c.Signature,
	}
}

// untracked lists the files that git does not track.
func (e *Engine) untracked(ctx context.Context) ([]string, error) {
	dirt, err := e.Repo.Dirt(ctx)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, c := range dirt {
		if c.Untracked {
			paths = append(paths, c.Path)
		}
	}
	return paths, nil
}

func newIn(list, before []string) []string {
	var fresh []string
	for _, p := range list {
		if !slices.Contains(before, p) {
			fresh = append(fresh, p)
		}
	}
	return fresh
}

// integrity looks at a change for tests and checks that lost their force; the tasks say what the plan announced.
func (e *Engine) integrity(ctx context.Context, changes []change, base string, tasks []machine.Task) ([]machine.Finding, error) {
	var allowed check.Allowed
	announced := false
	for _, t := range tasks {
		allowed.Files = append(allowed.Files, t.Files...)
		allowed.Owns = append(allowed.Owns, t.Owns...)
		allowed.ChangesTests = append(allowed.ChangesTests, t.ChangesTests...)
		announced = announced || len(t.Files)+len(t.Owns) > 0
	}
	if !announced {
		allowed.Owns = append(allowed.Owns, "**") // a task without a list of files may change any
	}
	input, err := e.checkChanges(ctx, changes, base)
	if err != nil {
		return nil, err
	}
	var findings []machine.Finding
	for _, f := range check.Integrity(input, allowed) {
		findings = append(findings, coreFinding(f, "integrity"))
	}
	return findings, nil
}

func coreFinding(f check.Finding, source string) machine.Finding {
	return machine.Finding{Severity: string(f.Severity), File: f.File, Line: f.Line, Title: f.Title, Rationale: f.Rationale, Source: source}
}

// statuses are git's letters in the words of package check.
var statuses = map[byte]check.Status{'A': check.Added, 'M': check.Modified, 'T': check.Modified, 'U': check.Modified, 'D': check.Deleted, 'R': check.Renamed}

// checkChanges reads both sides of each changed file.
func (e *Engine) checkChanges(ctx context.Context, changes []change, base string) ([]check.Change, error) {
	var old []string
	for _, c := range changes {
		if c.Status != 'A' {
			old = append(old, orElse(c.OldPath, c.Path))
		}
	}
	before, err := e.Repo.Contents(ctx, base, old)
	if err != nil {
		return nil, fmt.Errorf("reading the files at %s: %w", short(base), err)
	}
	var list []check.Change
	for _, c := range changes {
		in := check.Change{Path: c.Path, OldPath: c.OldPath, Status: statuses[c.Status], Before: before[orElse(c.OldPath, c.Path)]}
		if c.Status != 'D' {
			// A link that leads nowhere or a folder has nothing to read.
			in.After, _ = os.ReadFile(filepath.Join(e.Repo.Root(), filepath.FromSlash(c.Path)))
		}
		list = append(list, in)
	}
	return list, nil
}
