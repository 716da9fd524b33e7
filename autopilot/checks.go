package autopilot

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"autopilot/autopilot/changes"
	"autopilot/autopilot/git"
	"autopilot/autopilot/integrity"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/words"
	"autopilot/autopilot/workspace"
)

type change = git.Change

// job is a list of commands to be run, and what is to become of what they show.
type job struct {
	root         string                // where they run
	list         []validate.Validation // each distinct one runs once
	log          string                // in the session's folder: where people find the output
	untilFailure bool                  // the first command that does not pass is the last to run
	scripts      string                // the base commit that the repository's own scripts get; "": they do not run
	task         *machine.Task         // the one whose work is checked, if it is one's
	clean        bool                  // root is a clean worktree of HEAD
	seen         *git.Seen             // of the working tree, up to now
}

// ran is what running commands showed.
type ran struct {
	checks     []machine.Check
	byProducts []string          // untracked files that appeared meanwhile
	findings   []machine.Finding // of the scripts
	evidence   *machine.Evidence
	tests      []validate.Evidence // of each check of the list, the run that counts
	seen       *git.Seen           // of the working tree, since they ended
}

// runChecks runs commands one after the other, compares each with the baseline, and records what they rest on.
func (e *Engine) runChecks(ctx context.Context, j job) (ran, error) {
	settled := e.Journal.Settling()
	before, err := e.changes().BeforeCheck(j.seen.Still(ctx))
	if err != nil {
		return ran{}, err
	}
	out, err := e.record(j.task)
	if err != nil {
		return ran{}, err
	}
	defer out.Close()
	settled()
	runner, r := e.Checks, ran{}
	runner.Live = out
	for _, v := range validate.Distinct(j.list) {
		c, evidence, err := e.judge().Run(ctx, runner, out, j.root, v)
		if err != nil {
			return ran{}, err
		}
		r.checks, r.tests = append(r.checks, c), append(r.tests, evidence)
		e.Journal.TellCheck(c)
		if j.untilFailure && c.Outcome != machine.CheckPassed && c.Outcome != machine.CheckNothing && c.Outcome != machine.CheckKnownFailure {
			break
		}
	}
	runner.Live = nil
	scripts, findings, err := e.runScripts(ctx, runner, out, j)
	if err != nil {
		return ran{}, err
	}
	r.checks, r.findings = append(r.checks, scripts...), findings
	ctx = git.Still(ctx) // the commands have ended
	r.seen = git.SeenIn(ctx)
	if !j.clean {
		e.Repo.Tree.HashAhead(ctx)
	}
	after, err := workspace.Untracked(ctx, e.Repo)
	if err != nil {
		return ran{}, err
	}
	r.byProducts = changes.NewIn(after, before)
	if r.evidence, err = e.ground(ctx, j, r.byProducts); err != nil {
		return ran{}, err
	}
	for i := range r.checks {
		r.checks[i].Tree = r.evidence.Tree
	}
	return r, out.Keep(r.evidence, filepath.Join(e.Records.Dir(), j.log))
}

// integrity looks at a change for tests and checks that lost their force; the tasks say what the plan announced.
func (e *Engine) integrity(ctx context.Context, changes []change, base string, tasks []machine.Task) ([]machine.Finding, error) {
	input, err := CheckChanges(ctx, e.Repo, changes, base)
	if err != nil {
		return nil, err
	}
	var findings []machine.Finding
	for _, f := range integrity.Integrity(input, allowedBy(tasks), e.decidingScripts(changes, input...)...) {
		findings = append(findings, coreFinding(f))
	}
	return findings, nil
}

// allowedBy is what tasks announce together. One without a list of files may change any, unless another has one; where
// each of them says that it changes nothing, none may be changed.
func allowedBy(tasks []machine.Task) integrity.Allowed {
	allowed := integrity.Allowed{FilesNone: len(tasks) > 0}
	announced := false
	for _, t := range tasks {
		allowed.Files = append(allowed.Files, t.Files...)
		allowed.Owns = append(allowed.Owns, t.Owns...)
		allowed.ChangesTests = append(allowed.ChangesTests, t.ChangesTests...)
		allowed.FilesNone = allowed.FilesNone && t.FilesNone
		announced = announced || len(t.Files)+len(t.Owns) > 0
	}
	if !announced && !allowed.FilesNone {
		allowed.Owns = append(allowed.Owns, "**")
	}
	return allowed
}

func coreFinding(f integrity.Finding) machine.Finding {
	return machine.Finding{Severity: string(f.Severity), File: f.File, Line: f.Line, Title: f.Title, Rationale: f.Rationale, Source: "integrity"}
}

// statuses are git's letters in the words of package integrity.
var statuses = map[byte]integrity.Status{'A': integrity.Added, 'M': integrity.Modified, 'T': integrity.Modified, 'U': integrity.Modified, 'D': integrity.Deleted, 'R': integrity.Renamed}

// CheckChanges reads both sides of each changed file: what it was at a commit, and what it is in the working tree.
func CheckChanges(ctx context.Context, repo *git.Repo, changes []git.Change, base string) ([]integrity.Change, error) {
	var old []string
	for _, c := range changes {
		if c.Status != 'A' {
			old = append(old, cmp.Or(c.OldPath, c.Path))
		}
	}
	before, err := repo.History.Contents(ctx, base, old)
	if err != nil {
		return nil, fmt.Errorf("reading the files at %s: %w", words.Commit(base), err)
	}
	var list []integrity.Change
	for _, c := range changes {
		in := integrity.Change{Path: c.Path, OldPath: c.OldPath, Status: statuses[c.Status], Before: before[cmp.Or(c.OldPath, c.Path)]}
		if c.Status != 'D' {
			// A link that leads nowhere or out, a device or a folder has nothing to read.
			in.After, _ = plainfile.ReadIn(repo.Root(), c.Path)
			in.Link, _ = os.Readlink(workspace.InTree(repo.Root(), c.Path)) // an error: it is no link
		}
		list = append(list, in)
	}
	return list, nil
}
