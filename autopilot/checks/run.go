package checks

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

// Job is a list of commands to be run, and what is to become of what they show.
type Job struct {
	Root         string                // where they run
	List         []validate.Validation // each distinct one runs once
	Log          string                // in the session's folder: where people find the output
	UntilFailure bool                  // the first command that does not pass is the last to run
	Scripts      string                // the base commit that the repository's own scripts get; "": they do not run
	Task         *machine.Task         // the one whose work is checked, if it is one's
	Clean        bool                  // root is a clean worktree of HEAD
	Aside        []string              // files that were moved aside: by-products, whatever the commands leave
	Seen         *git.Seen             // of the working tree, up to now
}

// Ran is what running commands showed.
type Ran struct {
	Checks     []machine.Check
	ByProducts []string          // untracked files that appeared meanwhile
	Findings   []machine.Finding // of the scripts
	Evidence   *machine.Evidence
	Tests      []validate.Evidence // of each check of the list, the run that counts
	Seen       *git.Seen           // of the working tree, since they ended
}

// Do runs commands one after the other, compares each with the baseline, and records what they rest on.
func (cs Checks) Do(ctx context.Context, j Job) (Ran, error) {
	before, err := cs.Changes.BeforeCheck(j.Seen.Still(ctx))
	if err != nil {
		return Ran{}, err
	}
	out, err := cs.record(j.Task)
	if err != nil {
		return Ran{}, err
	}
	defer out.Close()
	runner, r := cs.Runner, Ran{}
	runner.Live = out
	for _, v := range validate.Distinct(j.List) {
		c, evidence, err := cs.Run(ctx, runner, out, j.Root, v)
		if err != nil {
			return Ran{}, err
		}
		r.Checks, r.Tests = append(r.Checks, c), append(r.Tests, evidence)
		cs.Journal.TellCheck(c)
		if j.UntilFailure && c.Outcome != machine.CheckPassed && c.Outcome != machine.CheckNothing && c.Outcome != machine.CheckKnownFailure {
			break
		}
	}
	runner.Live = nil
	scripts, findings, err := cs.runScripts(ctx, runner, out, j)
	if err != nil {
		return Ran{}, err
	}
	r.Checks, r.Findings = append(r.Checks, scripts...), findings
	ctx = git.Still(ctx) // the commands have ended
	r.Seen = git.SeenIn(ctx)
	after, err := workspace.Untracked(ctx, cs.Repo)
	if err != nil {
		return Ran{}, err
	}
	r.ByProducts = append(changes.NewIn(after, before), j.Aside...)
	if r.Evidence, err = cs.Ground(ctx, j, r.ByProducts); err != nil {
		return Ran{}, err
	}
	for i := range r.Checks {
		r.Checks[i].Tree = r.Evidence.Tree
	}
	return r, out.Keep(r.Evidence, filepath.Join(cs.Records.Dir(), j.Log))
}

// Integrity looks at a change for tests and checks that lost their force; the tasks say what the plan announced.
func (cs Checks) Integrity(ctx context.Context, changes []git.Change, base string, tasks []machine.Task) ([]machine.Finding, error) {
	input, err := Sides(ctx, cs.Repo, changes, base)
	if err != nil {
		return nil, err
	}
	var findings []machine.Finding
	for _, f := range integrity.Integrity(input, allowedBy(tasks), cs.Scripts(changes, input...)...) {
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

// Sides reads both sides of each changed file: what it was at a commit, and what it is in the working tree.
func Sides(ctx context.Context, repo *git.Repo, changes []git.Change, base string) ([]integrity.Change, error) {
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
