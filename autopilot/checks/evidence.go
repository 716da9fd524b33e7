package checks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/evidence"
	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/validate"
)

// record begins the file of the next evidence.
func (cs Checks) record(task *machine.Task) (*evidence.Recording, error) {
	id := ""
	if task != nil {
		id = task.ID
	}
	return evidence.Record(cs.Records.Dir(), machine.OutputName(cs.Journal.State(), id))
}

// maxDirtyKept is how many of the paths that differ from HEAD the evidence names.
const maxDirtyKept = 50

// Ground says which tree the commands of a job ran on. It is asked for even when the run is being stopped: what they
// showed would be lost otherwise.
func (cs Checks) Ground(ctx context.Context, j Job, byProducts []string) (*machine.Evidence, error) {
	ctx = context.WithoutCancel(ctx)
	now, err := cs.Repo.Tree.Status(ctx)
	if err != nil {
		return nil, err
	}
	ev := &machine.Evidence{Commit: now.Head, Clean: j.Clean}
	if j.Clean {
		ev.Tree, err = cs.Repo.Tree.HashAt(ctx, now.Head)
		return ev, err
	}
	if ev.Tree, err = cs.Repo.Tree.Hash(ctx); err != nil {
		return nil, err
	}
	dirty := git.Paths(now.Dirt)
	ev.Dirty = dirty[:min(len(dirty), maxDirtyKept)]
	ev.DirtyMore = len(dirty) - len(ev.Dirty)
	if j.Task == nil {
		return ev, nil
	}
	own, err := cs.Changes.UncommittedOf(ctx, *j.Task)
	if err != nil {
		return nil, err
	}
	own = slices.DeleteFunc(own, func(path string) bool { return slices.Contains(byProducts, path) })
	ev.CommitTree, err = cs.Repo.Tree.HashWith(ctx, own)
	return ev, err
}

// runScripts runs the repository's own scripts over what changed since a commit, as part of a job.
func (cs Checks) runScripts(ctx context.Context, runner validate.Runner, out *evidence.Recording, j Job) (checks []machine.Check, findings []machine.Finding, err error) {
	if j.Scripts == "" {
		return nil, nil, nil
	}
	for _, one := range runner.ValidateD(ctx, j.Root, j.Scripts) {
		if one.Outcome == validate.Interrupted {
			return nil, nil, &halt.InterruptedError{Cause: ctx.Err()}
		}
		c := cs.Check(one)
		out.Begin(c.Command)
		fmt.Fprint(out, one.Output)
		out.End(c)
		checks = append(checks, c)
		if one.Outcome == validate.Warned {
			findings = append(findings, warningOf(one, strings.TrimSuffix(one.Command, " "+j.Scripts)))
		}
	}
	return checks, findings, nil
}

// warningOf is the finding of a script that asked to be heard; one that failed is a failed check.
func warningOf(e validate.Evidence, script string) machine.Finding {
	return machine.Finding{
		Severity: machine.Important, File: script, Title: fmt.Sprintf("%s warns (exit code %d)", script, e.ExitCode),
		Rationale: e.Output, Source: "check", Warning: true,
	}
}
