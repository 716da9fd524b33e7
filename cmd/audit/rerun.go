package audit

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot"
	"autopilot/autopilot/branches"
	"autopilot/autopilot/checks"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/worktree"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions/audit"
	"autopilot/sessions/storage"
)

// rerun is a commit and the commands that were recorded on it.
type rerun struct {
	commit string
	checks []machine.Check
	rev    map[string]int64 // of the record, by command and folder
}

func sameRun(c machine.Check) string { return c.Dir + "\x00" + c.Command }

// reruns lists each recorded commit with its commands, in the order of the journal. Of several records of a command on
// one commit the last counts. A record of a tree that was never committed cannot be run again: lost counts those, inLanes
// those of the tasks of a wave, in whose working trees the others' work was not there yet.
func (a *auditing) reruns() (list []*rerun, lost, inLanes int) {
	at, holds := map[int64]string{}, map[string]string{} // the commit that a record's work came into, and that holds a tree
	for _, c := range a.Claims {
		if c.Kind == audit.ClaimTask && c.Commit != "" {
			at[c.Record] = c.Commit
			if c.Tree != "" {
				holds[c.Tree] = c.Commit
			}
		}
	}
	byCommit := map[string]*rerun{}
	for _, p := range a.Proofs {
		commit, ok := at[p.Rev]
		if !ok && p.Type != machine.Validated && p.Evidence != nil {
			commit, ok = p.Evidence.Commit, true
		}
		if p.Lane && p.Evidence != nil {
			commit, ok = holds[p.Evidence.CommitTree]
		}
		switch {
		case ok && commit != "":
		case p.Lane:
			inLanes++
			continue
		default:
			lost++
			continue
		}
		r := byCommit[commit]
		if r == nil {
			r = &rerun{commit: commit, rev: map[string]int64{}}
			byCommit[commit], list = r, append(list, r)
		}
		for _, c := range p.Checks {
			if c.Source == machine.ScriptSource || c.ExitCode < 0 && c.Outcome == machine.CheckCouldNot {
				continue // the scripts are not in the commit; what could not run showed nothing
			}
			r.checks = append(slices.DeleteFunc(r.checks, func(old machine.Check) bool { return sameRun(old) == sameRun(c) }), c)
			r.rev[sameRun(c)] = p.Rev
		}
	}
	return slices.DeleteFunc(list, func(r *rerun) bool { return len(r.checks) == 0 }), lost, inLanes
}

// again runs the recorded commands once more and compares how they end.
func (a *auditing) again(ctx context.Context, o *auditOptions) error {
	cfg, _, err := app.LoadConfig(o.Host, a.w.Repo.Root(), "", nil)
	if err != nil {
		return err
	}
	lock, err := storage.LockTree(filepath.Join(a.w.Repo.CommonDir(), "autopilot-audit.lock"), o.Now)
	if err != nil {
		return err
	}
	defer lock.Close()
	list, lost, inLanes := a.reruns()
	g, n := auditGroup{Name: "again"}, 0
	r := checks.Rerun{
		Repo: a.w.Repo, Checks: validate.Runner{Now: o.Now, Env: o.Environ, LockFile: lock.File()}, Furnishing: app.Settings(cfg).WorktreeSetup,
		Dir: filepath.Join(a.w.Harness, autopilot.WorktreesDir, branches.RefName(a.w.Slug)+"-audit"), TellLacks: a.lacks,
	}
	for i, one := range list {
		o.progress("commit %s, %d of %d", one.commit[:min(8, len(one.commit))], i+1, len(list))
		n += len(one.checks)
		if err := a.rerunOn(ctx, r, one, &g, o, app.Settings(cfg).Validation); err != nil {
			return err
		}
	}
	if lost > 0 {
		a.Said = append(a.Said, fmt.Sprintf("%s not run again: the tree was not committed as it was then", machine.Plural(lost, "record was", "records were")))
	}
	if inLanes > 0 {
		a.Said = append(a.Said, fmt.Sprintf("%s made in a task's own working tree, and not run again: no commit is that tree; once its work was beside the others' it was validated again",
			machine.Plural(inLanes, "validation was", "validations were")))
	}
	g.Text = fmt.Sprintf("%s run again on %s", machine.Plural(n, "command", "commands"), machine.Plural(len(list), "commit", "commits"))
	a.add(g)
	return nil
}

// lacks says once what the clean working trees lack.
func (a *auditing) lacks(lacks []worktree.Lack) {
	for _, l := range lacks {
		if !slices.Contains(a.Said, l.Text) {
			a.Said = append(a.Said, l.Text)
		}
	}
}

func (a *auditing) rerunOn(ctx context.Context, r checks.Rerun, one *rerun, g *auditGroup, o *auditOptions, limit time.Duration) error {
	if !a.w.Repo.History.Exists(ctx, one.commit) && ctx.Err() == nil {
		g.problem("commit "+one.commit[:min(8, len(one.commit))], rewritten, "git does not have it, so that nothing can be run on it")
		return nil
	}
	var validations []validate.Validation
	recorded := map[string]machine.Check{}
	for _, c := range one.checks {
		timeout := max(limit, validate.TimeoutFor(time.Duration(c.Seconds*float64(time.Second))))
		validations = append(validations, validate.Validation{Command: c.Command, Dir: c.Dir, Source: c.Source, Timeout: timeout})
		recorded[sameRun(c)] = c
	}
	err := r.On(ctx, one.commit, validations, func(v validate.Validation, e *validate.Evidence) {
		if e == nil {
			o.progress("  $ %s", console.OneLine(v.Command))
			return
		}
		c := recorded[v.Dir+"\x00"+v.Command]
		if now := checks.Outcomes[e.Outcome]; !agrees(c, now, *e) {
			g.problem(fmt.Sprintf("%s on %s (revision %d)", console.OneLine(v.Command), one.commit[:8], one.rev[sameRun(c)]),
				"the record cannot be repeated: it depends on more than the commit, it was never so, or a tool is missing here",
				"it ended as %s, exit code %d; recorded is %s, exit code %d", words(now), e.ExitCode, words(c.Outcome), c.ExitCode)
		}
	})
	_, stopped := errors.AsType[*halt.InterruptedError](err)
	switch {
	case ctx.Err() != nil:
		return &halt.InterruptedError{Cause: context.Cause(ctx)}
	case stopped:
		return err
	case err != nil:
		g.problem("commit "+one.commit[:8], "nothing was run on it; check worktree.setup and worktree.copy in autopilot.yaml", "its clean worktree cannot be used: %v", err)
	}
	return nil
}

// agrees says whether a command that ran again ended as it is recorded: what the baseline excused is a failure here.
func agrees(c machine.Check, now string, e validate.Evidence) bool {
	if c.Outcome == machine.CheckKnownFailure || c.Outcome == machine.CheckBaselineRed {
		return now == machine.CheckFailed && c.ExitCode == e.ExitCode
	}
	return c.Outcome == now
}

func words(outcome string) string { return strings.ReplaceAll(outcome, "_", " ") }

// progress tells a person where a long audit is.
func (o *auditOptions) progress(format string, args ...any) {
	fmt.Fprintln(o.Err, console.Clean(fmt.Sprintf(format, args...)))
}
