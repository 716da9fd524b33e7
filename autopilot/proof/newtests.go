package proof

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/integrity"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/validate/results"
)

// Longest is how long a command may take to be run again for a proof beyond that of the old tests.
const Longest = 2 * time.Minute

// prose are the endings of files that are no code.
var prose = []string{".md", ".txt", ".rst", ".adoc"}

// NoneNew is the verdict where the work has no new tests.
const NoneNew Verdict = "none new"

// TooLong is the verdict of new tests that were not run on the code of the base, as their command takes too long.
const TooLong Verdict = "takes too long"

// mostAlone is how many new files of tests are run one at a time.
const mostAlone = 20

// Fresh is what a command showed of the work's tests on the code of the base.
type Fresh struct {
	// Verdict is Broken where some fail, as the tests of a change do; Holds where all that are new pass, so that they show nothing
	// of it; Unbuilt where it did not come to that; and NoneNew, CouldNot, TooLong. All but the first two tell nothing either way.
	Verdict Verdict
	Tests   []string // those that fail, or the new ones that pass; sorted
	New     int      // how many tests that comes to
}

// NewTests runs the work's tests on the code of the base, for each command, in case the work has files of tests and others. A
// test that passes there shows nothing of the change. Of the tests that fail there only those count that pass in the
// clean tree on the work.
func (t Tree) NewTests(ctx context.Context, q Question) ([]Fresh, error) {
	if !q.HasNewTests() {
		return nil, nil
	}
	return remembered(t, &t.last().fresh, q, func() ([]Fresh, error) { return t.fresh(ctx, q) })
}

// HasNewTests says whether there is anything to ask of NewTests.
func (q Question) HasNewTests() bool {
	_, files := q.tests()
	return len(files) > 0 && slices.ContainsFunc(q.Changes, func(c Change) bool {
		return !integrity.RoleOf(c.Path).Judges() && !slices.Contains(prose, strings.ToLower(path.Ext(c.Path)))
	})
}

func (t Tree) fresh(ctx context.Context, q Question) ([]Fresh, error) {
	control, err := t.control(ctx, q)
	if err != nil {
		return nil, err
	}
	all := make([]Fresh, len(q.Commands))
	for i, c := range q.Commands {
		switch {
		case c.Lints():
			all[i].Verdict = NoneNew
		case c.Took > Longest:
			all[i].Verdict = TooLong
		case c.unlike(control[i]) != "":
			all[i].Verdict = CouldNot
		default:
			if all[i], err = t.compareOn(ctx, q, c, control[i]); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// compareOn runs the tests of the work on the old code, and compares that with what they show on the work.
func (t Tree) compareOn(ctx context.Context, q Question, c Command, work validate.Evidence) (Fresh, error) {
	tests, files := q.tests()
	old, err := t.On(ctx, q.Base, tests, c.Validation)
	if err == nil && unbuilt(old) && len(files) > 1 {
		old, err = t.oneByOne(ctx, q, files, c)
	}
	if err != nil || unbuilt(old) {
		return Fresh{Verdict: Unbuilt}, err
	}
	if fails := without(failing(old), failing(work)); len(fails) > 0 {
		return Fresh{Broken, fails, len(fails)}, nil
	}
	before, err := t.On(ctx, q.Base, nil, c.Validation)
	return compareNew(before, old, work), err
}

// tests are the paths that judge, of them the files of tests.
func (q Question) tests() (paths, files []string) {
	for _, c := range q.Changes {
		if role := integrity.RoleOf(c.Path); role.Judges() {
			paths = append(paths, c.Path)
			if role == integrity.Test {
				files = append(files, c.Path)
			}
		}
		if c.Old != "" && integrity.RoleOf(c.Old).Judges() {
			paths = append(paths, c.Old)
		}
	}
	return paths, files
}

// unbuilt says whether a run did not pass, and it did not come to a test, or to what one tests.
func unbuilt(e validate.Evidence) bool {
	failed := failing(e)
	return e.Outcome != validate.Passed && (len(failed) == 0 || notFound(e.Output, len(failed)))
}

// failing are the tests that failed, sorted. What does not build, such as a package, is none.
func failing(e validate.Evidence) (tests []string) {
	for name, result := range e.Results {
		if result == results.TestFailed {
			tests = append(tests, name)
		}
	}
	slices.Sort(tests)
	return tests
}

// On runs a command in the tree that Open made ready: on what a commit has, with some paths as the work has them and without
// others.
func (t Tree) On(ctx context.Context, commit string, paths []string, v validate.Validation, gone ...string) (validate.Evidence, error) {
	if err := t.Lay(ctx, commit, paths, gone...); err != nil {
		return validate.Evidence{}, err
	}
	now := t.run(ctx, v)
	if now.Outcome == validate.Interrupted {
		return now, ctx.Err()
	}
	return now, nil
}

// oneByOne runs files of tests one at a time, since one that does not build keeps all from it. What they showed is put
// together.
func (t Tree) oneByOne(ctx context.Context, q Question, files []string, c Command) (validate.Evidence, error) {
	sum := validate.Evidence{Outcome: validate.CouldNotCheck, Results: map[string]results.TestResult{}}
	for _, file := range files[:min(len(files), mostAlone)] {
		now, err := t.On(ctx, q.Base, []string{file}, c.Validation)
		if err != nil {
			return sum, err
		}
		if unbuilt(now) {
			continue
		}
		if sum.Outcome != validate.Failed {
			sum.Outcome = now.Outcome
		}
		maps.Copy(sum.Results, now.Results)
	}
	return sum, nil
}

// compareNew compares runs in which no test of the work failed on the old code.
func compareNew(before, old, work validate.Evidence) Fresh {
	fresh, gone := only(work, before), only(before, work)
	passes := slices.DeleteFunc(slices.Clone(fresh), func(name string) bool { return old.Results[name] != results.TestPassed })
	switch {
	case len(gone) > 0: // tests were renamed, split or put together
	case len(passes) > 0:
		return Fresh{Holds, passes, len(fresh)}
	case len(fresh) == 0 && before.Counts != nil && old.Counts != nil && old.Counts.Ran > before.Counts.Ran: // no names are told
		return Fresh{Verdict: Holds, New: old.Counts.Ran - before.Counts.Ran}
	}
	return Fresh{Verdict: NoneNew}
}

// only are the tests that one run names and another does not, sorted.
func only(one, other validate.Evidence) (names []string) {
	for name := range one.Results {
		if _, is := other.Results[name]; !is {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
