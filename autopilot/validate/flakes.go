package validate

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/validate/results"
)

const (
	// maxRetried is how many tests are run again alone; where more fail, it is no flake.
	maxRetried = 5
	// alone is how often a test that nobody knows yet has to pass, by itself, to count as a flake.
	alone = 2
)

// Retried is what came of running a failed test again.
type Retried struct {
	New   bool   // nobody knows that it passed before: it may be the task's own
	Alone []bool // the runs of it alone: did it pass; none where it cannot be run alone
	Whole []bool // the further runs of the whole command: did it not fail there
}

// Flake is the rule that tells a flake from a failure: a flake passes alone, every time (a test that is new: twice), and
// does not fail again when the whole command runs once more. What fails there again depends on the other tests; it
// fails. Where a test cannot be run alone, further runs of the whole command stand in for it.
func (r Retried) Flake() bool {
	enough := 1
	if r.New {
		enough = alone
	}
	if slices.Contains(r.Alone, false) || slices.Contains(r.Whole, false) {
		return false
	}
	if len(r.Alone) == 0 {
		return len(r.Whole) >= enough
	}
	return len(r.Alone) >= enough && len(r.Whole) > 0
}

// Trial is what the program did to tell flakes from failures, and what that showed.
type Trial struct {
	Runs   []Evidence // in order; the first is the failed run
	Last   Evidence   // the run that counts: the last one of the whole command if all that failed are flakes, else the first
	Flakes []string   // sorted
	Blamed []string   // sorted; new failures that are no flakes
	Known  []string   // sorted; they failed at the baseline
}

// Excused says whether nothing is left to blame.
func (t Trial) Excused() bool { return len(t.Blamed) == 0 && len(t.Flakes) > 0 }

// Interrupted says whether the program was told to stop meanwhile.
func (t Trial) Interrupted() bool { return t.Runs[len(t.Runs)-1].Outcome == Interrupted }

// Try runs the tests that failed, and did not at the baseline, again: each alone, then the whole command once more. A
// failed run that names no tests, or too many, is left as it is. before is the baseline of the same command, or empty.
// begin and end, which may be nil, are told of each run.
func (r Runner) Try(ctx context.Context, root string, v Validation, first, before Evidence, begin func(command string), end func(Evidence)) Trial {
	t := Trial{Runs: []Evidence{first}, Last: first}
	t.Blamed, t.Known = newFailures(before, first)
	leaves := failedLeaves(t.Blamed)
	t.Blamed = leaves
	if first.Outcome != Failed || len(leaves) == 0 || len(leaves) > maxRetried {
		return t
	}
	x := &flakeRetry{
		Trial: &t, retried: map[string]*Retried{}, before: before,
		run: func(v Validation) Evidence {
			if begin != nil {
				begin(v.Command)
			}
			e := r.Run(ctx, root, v)
			if end != nil {
				end(e)
			}
			t.Runs = append(t.Runs, e)
			return e
		},
	}
	for _, name := range leaves {
		x.retried[name] = &Retried{New: !ranBefore(before, name)}
		x.alone(filepath.Join(root, filepath.FromSlash(v.Dir)), v, name)
	}
	x.whole(v)
	x.decide()
	return t
}

// flakeRetry is a trial on its way.
type flakeRetry struct {
	*Trial
	retried map[string]*Retried
	before  Evidence
	run     func(Validation) Evidence
}

// alone runs a test alone, as often as it has to pass. A run that shows neither is none: the whole command decides.
func (x *flakeRetry) alone(folder string, v Validation, name string) {
	command, can := results.Alone(folder, v.Command, name)
	v.Command = command
	r := x.retried[name]
	for n := 0; can && (n == 0 || r.New && n < alone); n++ {
		passed, shown := shows(x.run(v), name)
		if !shown {
			r.Alone = nil
			return
		}
		if r.Alone = append(r.Alone, passed); !passed {
			return
		}
	}
}

// whole runs the command once more, as long as that can show a flake; twice where a new test cannot be run alone.
func (x *flakeRetry) whole(v Validation) {
	for range alone {
		open := false
		for _, r := range x.retried {
			open = open || !r.Flake() && !slices.Contains(r.Alone, false) && !slices.Contains(r.Whole, false)
		}
		if !open {
			return
		}
		e := x.run(v)
		fresh, _ := newFailures(x.before, e)
		complete := e.Outcome == Passed || e.Outcome == Failed && len(e.FailedTests) > 0
		for name, r := range x.retried {
			r.Whole = append(r.Whole, complete && !slices.Contains(fresh, name))
		}
		x.Last = e
		if !complete {
			return
		}
	}
}

// decide: what failed anew in a further run is blamed, like what failed again.
func (x *flakeRetry) decide() {
	failed := map[string]bool{}
	for _, e := range x.Runs {
		if e.Command == x.Runs[0].Command {
			fresh, _ := newFailures(x.before, e)
			for _, name := range failedLeaves(fresh) {
				failed[name] = true
			}
		}
	}
	x.Blamed = nil
	for _, name := range slices.Sorted(maps.Keys(failed)) {
		if r := x.retried[name]; r != nil && r.Flake() {
			x.Flakes = append(x.Flakes, name)
		} else {
			x.Blamed = append(x.Blamed, name)
		}
	}
	if len(x.Blamed) > 0 || len(x.Flakes) == 0 {
		x.Last = x.Runs[0]
	}
}

// newFailures are the tests that failed now and did not before, and the others.
func newFailures(before, now Evidence) (fresh, known []string) {
	for _, name := range now.FailedTests {
		if before.Command == now.Command && before.Dir == now.Dir && slices.Contains(before.FailedTests, name) {
			known = append(known, name)
		} else {
			fresh = append(fresh, name)
		}
	}
	return fresh, known
}

// failedLeaves leaves out the Go tests that failed because a test in them did.
func failedLeaves(names []string) []string {
	return slices.DeleteFunc(slices.Sorted(slices.Values(names)), func(name string) bool {
		return results.IsGoTest(name) && slices.ContainsFunc(names, func(other string) bool { return strings.HasPrefix(other, name+"/") })
	})
}

func ranBefore(before Evidence, name string) bool {
	result, known := before.Results[name]
	return known && result != results.TestSkipped
}

// shows says whether a run of a test alone passed it, and whether the run shows so at all.
func shows(e Evidence, name string) (passed, shown bool) {
	base, _, _ := strings.Cut(name, " #")
	about := func(other string) bool {
		return other == name || other == base || strings.HasPrefix(other, name+"/") || strings.HasPrefix(other, base+" #")
	}
	switch {
	case e.Outcome == TimedOut, slices.ContainsFunc(e.FailedTests, about):
		return false, true
	case e.Outcome != Passed:
		return false, false
	}
	named := false
	for other, result := range e.Results {
		if result == results.TestPassed && about(other) {
			return true, true
		}
		named = named || result == results.TestPassed
	}
	return true, !named && e.Counts != nil && e.Counts.Passed > 0
}
