package changes

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/workspace"
	"autopilot/autopilot/worktree"
)

// What a task announces and makes where git does not look is in the working tree alone: its validation passes there, and
// no commit has it.

// Uncommittable finds what a task of the plan announces, what is there, and what comes into no commit.
func (cs Changes) Uncommittable(ctx context.Context, t machine.Task, changes []git.Change) ([]machine.Finding, error) {
	if t.Kind != machine.KindPlan || len(t.Files) == 0 {
		return nil, nil
	}
	held, err := cs.withheldFrom(ctx, t, changes)
	if err != nil {
		return nil, err
	}
	u := unseen{root: cs.Repo.Root(), entries: held.entries(), left: workspace.MaxWalked}
	lost, err := cs.withoutTracked(ctx, u.announced(t.Files, changes))
	if err != nil {
		return nil, err
	}
	return cs.lostFindings(ctx, lost, held)
}

// sighting is a file that git does not look at, and the announcement that it lies in.
type sighting struct {
	file, pattern string
	exact         bool // the announcement names this file, and no folder or pattern
}

// withoutTracked leaves out folders and patterns that have files in the index: what else lies there may well be ignored,
// such as what a compiler leaves beside its sources.
func (cs Changes) withoutTracked(ctx context.Context, seen []sighting) (files []string, err error) {
	var tracked git.Tracked
	if slices.ContainsFunc(seen, func(s sighting) bool { return !s.exact }) {
		if tracked, err = cs.Repo.Tree.Tracked(ctx); err != nil {
			return nil, err
		}
	}
	for _, s := range seen {
		if (s.exact || !slices.ContainsFunc(tracked.Files, announces(s.pattern))) && !slices.Contains(files, s.file) {
			files = append(files, s.file)
		}
	}
	return files, nil
}

func announces(pattern string) func(file string) bool {
	return machine.Task{Files: []string{pattern}}.Announces
}

// lostFindings says of each file why git does not take it, and what is to be done.
func (cs Changes) lostFindings(ctx context.Context, lost []string, held withheld) ([]machine.Finding, error) {
	var ignored []string
	var findings []machine.Finding
	for _, file := range lost {
		because, rationale := held.why(file)
		switch {
		case because != "":
			findings = append(findings, lostFinding(file, because, rationale))
		case behindLink(cs.Repo.Root(), file):
			findings = append(findings, lostFinding(file, "a folder above it is a link that leads out of the repository",
				"git takes nothing of what lies behind such a link. Put a folder of the repository in its place"))
		default:
			ignored = append(ignored, file)
		}
	}
	rules, err := cs.Repo.Tree.IgnoredBy(ctx, ignored)
	for _, file := range ignored {
		findings = append(findings, lostFinding(file, "git ignores it", ignoredWhy(rules[file])))
	}
	return findings, err
}

func ignoredWhy(rule git.IgnoringRule) string {
	by := "by one of its rules" // git named none
	if rule.File != "" {
		by = fmt.Sprintf("by %s, line %s of %s", rule.Pattern, rule.Line, rule.File)
	}
	return by + ". Take that rule back, or make an exception for the file; where it has to stay ignored, the plan must not announce it"
}

func lostFinding(file, because, rationale string) machine.Finding {
	return machine.Finding{
		Severity: machine.Critical, File: file, Title: "announced, but in no commit: " + because, Rationale: rationale, Source: "check",
	}
}

// unseen is what lies in a working tree and git does not look at: files, and folders with a slash at the end.
type unseen struct {
	root    string
	entries []string
	left    int // how many files and folders may still be looked at
}

// announced lists for each announcement a file of it that git does not look at. A folder or a pattern with a change in it
// is fine: work of it comes into the commit.
func (u *unseen) announced(patterns []string, changes []git.Change) []sighting {
	var seen []sighting
	for _, p := range patterns {
		p = path.Clean(p)
		info, err := os.Lstat(workspace.InTree(u.root, p))
		switch {
		case err == nil && (!info.IsDir() || git.IsRunData(p)):
			if coveredBy(u.entries, p) != "" || behindLink(u.root, p) || git.IsRunData(p) {
				seen = append(seen, sighting{p, p, true})
			}
		case err != nil && !strings.ContainsAny(p, "*?[{"), slices.ContainsFunc(git.Paths(changes), announces(p)):
		default:
			if file := u.within(p, err == nil); file != "" {
				seen = append(seen, sighting{file, p, false})
			}
		}
	}
	return seen
}

// within finds a file that a folder or a pattern names.
func (u *unseen) within(pattern string, folder bool) string {
	base := pattern
	if !folder {
		base, _ = doublestar.SplitPattern(pattern)
	}
	for _, entry := range u.entries {
		dir, isDir := strings.CutSuffix(entry, "/")
		switch {
		case !isDir && announces(pattern)(entry):
			return entry
		case isDir && (base == "." || base == dir || strings.HasPrefix(dir, base+"/")):
			if file := u.walk(dir, pattern); file != "" {
				return file
			}
		case isDir && strings.HasPrefix(base, entry):
			if file := u.walk(base, pattern); file != "" {
				return file
			}
		}
	}
	return ""
}

// walk finds a file below a folder that a pattern names; what git itself keeps there is none.
func (u *unseen) walk(dir, pattern string) (found string) {
	named := announces(pattern)
	_ = filepath.WalkDir(workspace.InTree(u.root, dir), func(file string, d fs.DirEntry, err error) error {
		name := plainfile.Rel(u.root, file)
		u.left--
		switch {
		case u.left < 0:
			return fs.SkipAll
		case err != nil:
			return nil //nolint:nilerr // what cannot be read is passed over
		case d.Name() == ".git" && d.IsDir():
			return fs.SkipDir
		case !d.IsDir() && d.Name() != ".git" && named(name):
			found = name
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// behindLink says whether a file's folder lies elsewhere. One that a link has at another place of the repository is fine:
// the change shows there.
func behindLink(root, file string) bool {
	if !strings.Contains(file, "/") {
		return false
	}
	dir, err := filepath.EvalSymlinks(workspace.InTree(root, path.Dir(file)))
	if err != nil {
		return false
	}
	real, err := filepath.EvalSymlinks(root)
	return err == nil && !worktree.Inside(real, dir)
}

// coveredBy is the entry that is a path, or the folder that it lies in; "" where there is none.
func coveredBy(entries []string, file string) string {
	for _, entry := range entries {
		if entry == file || strings.HasSuffix(entry, "/") && strings.HasPrefix(file, entry) {
			return entry
		}
	}
	return ""
}
