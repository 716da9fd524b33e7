//go:build unix

package validate

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/validate/results"
)

func TestWhatIsAFlake(t *testing.T) {
	yes, no := []bool{true}, []bool{false}
	for _, tc := range []struct {
		name  string
		r     Retried
		flake bool
	}{
		{"passes alone and with the others", Retried{Alone: yes, Whole: yes}, true},
		{"fails alone", Retried{Alone: no, Whole: yes}, false},
		{"fails again with the others, passes alone", Retried{Alone: yes, Whole: no}, false},
		{"passes alone, the others were not run again", Retried{Alone: yes}, false},
		{"new, passes alone once", Retried{New: true, Alone: yes, Whole: yes}, false},
		{"new, passes alone twice", Retried{New: true, Alone: []bool{true, true}, Whole: yes}, true},
		{"new, passes alone, then fails", Retried{New: true, Alone: []bool{true, false}, Whole: yes}, false},
		{"cannot be run alone, passes with the others", Retried{Whole: yes}, true},
		{"cannot be run alone, new, passes with the others once", Retried{New: true, Whole: yes}, false},
		{"cannot be run alone, new, passes with the others twice", Retried{New: true, Whole: []bool{true, true}}, true},
		{"cannot be run alone, passes, then fails", Retried{Whole: []bool{true, false}}, false},
		{"was never run again", Retried{}, false},
	} {
		if got := tc.r.Flake(); got != tc.flake {
			t.Errorf("%s: %v", tc.name, got)
		}
	}
}

// player is a test program: a shell script in which each test is a line of the file plan, "name result result …", a
// result for each time that it runs; the last one stays. It takes what
// node --test takes, and writes TAP.
const player = `#!/bin/sh
only=
case "$1" in --test) shift;; esac
case "$1" in --test-name-pattern=*) only=${1#--test-name-pattern=^}; only=${only%$};; esac
code=0 n=0
while read -r name results; do
	[ -z "$only" ] || [ "$only" = "$name" ] || continue
	n=$((n+1))
	file=count.$(echo "$name" | tr / _)
	c=$(cat "$file" 2>/dev/null || echo 0); c=$((c+1)); echo $c > "$file"
	set -- $results; [ $c -gt $# ] && c=$#
	shift $((c-1))
	if [ "$1" = fail ]; then echo "not ok $n - $name"; code=1; else echo "ok $n - $name"; fi
done < plan
echo "1..$n"
exit $code
`

func TestFailuresAreToldFromFlakes(t *testing.T) {
	for _, tc := range []struct {
		name, plan     string
		known          string // failed at the baseline
		fresh          bool   // the baseline names no tests
		hidden         bool   // the command cannot be taken apart
		flakes, blamed string
		runs, exit     int
	}{
		{name: "a flake", plan: "a pass\nb fail pass", flakes: "b", runs: 3, exit: 0},
		{name: "a failure", plan: "a pass\nb fail", blamed: "b", runs: 2, exit: 1},
		{name: "an old failure, a flake, a new failure", plan: "old fail\nflaky fail pass\nnew fail", known: "old", flakes: "flaky", blamed: "new", runs: 4, exit: 1},
		{name: "an old failure and a flake", plan: "old fail\nflaky fail pass", known: "old", flakes: "flaky", runs: 3, exit: 1},
		{name: "fails with the others, passes alone", plan: "a fail pass fail", blamed: "a", runs: 3, exit: 1},
		{name: "another one fails when all run again", plan: "a fail pass\nb pass fail", flakes: "a", blamed: "b", runs: 3, exit: 1},
		{name: "two flakes", plan: "a fail pass\nb fail pass", flakes: "a b", runs: 4, exit: 0},
		{name: "a new test that passes twice", plan: "a fail pass", fresh: true, flakes: "a", runs: 4, exit: 0},
		{name: "a new test that passes, then fails", plan: "a fail pass fail", fresh: true, blamed: "a", runs: 3, exit: 1},
		{name: "what holds a flake fails by itself then", plan: "TestA fail\nTestA/sub fail pass", flakes: "TestA/sub", blamed: "TestA", runs: 3, exit: 1},
		{name: "too many", plan: "a fail pass\nb fail pass\nc fail pass\nd fail pass\ne fail pass\nf fail pass", blamed: "a b c d e f", runs: 1, exit: 1},
		{name: "a flake of a command that nobody can take apart", plan: "a fail pass", hidden: true, flakes: "a", runs: 2, exit: 0},
		{name: "a failure of such a command", plan: "a fail", hidden: true, blamed: "a", runs: 2, exit: 1},
		{name: "a new flake of such a command", plan: "a fail pass", hidden: true, fresh: true, flakes: "a", runs: 3, exit: 0},
		{name: "a new failure now and then of such a command", plan: "a fail pass fail", hidden: true, fresh: true, blamed: "a", runs: 3, exit: 1},
		{name: "nothing new failed", plan: "old fail", known: "old", runs: 1, exit: 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root := tree(t, map[string]string{"plan": tc.plan + "\n", "node": player})
			if err := os.Chmod(filepath.Join(root, "node"), 0o755); err != nil {
				t.Fatal(err)
			}
			v := Validation{Command: "./node --test"}
			if tc.hidden {
				v.Command = "./node --test || exit 1"
			}
			first := runner().Run(t.Context(), root, v)
			before := Evidence{Command: v.Command, FailedTests: strings.Fields(tc.known), Results: map[string]results.TestResult{}}
			for line := range strings.Lines(tc.plan) {
				if !tc.fresh {
					before.Results[strings.Fields(line)[0]] = results.TestPassed
				}
			}
			var begun []string
			ended := 0
			got := runner().Try(t.Context(), root, v, first, before, func(c string) { begun = append(begun, c) }, func(Evidence) { ended++ })
			if diff := cmp.Diff(tc.flakes, strings.Join(got.Flakes, " ")); diff != "" {
				t.Error("flakes", diff)
			}
			if diff := cmp.Diff(tc.blamed, strings.Join(got.Blamed, " ")); diff != "" {
				t.Error("blamed", diff)
			}
			if len(got.Runs) != tc.runs || len(begun) != tc.runs-1 || ended != tc.runs-1 {
				t.Errorf("%d runs, begun: %q", len(got.Runs), begun)
			}
			if got.Last.ExitCode != tc.exit || got.Last.Command != v.Command || got.Excused() != (tc.blamed == "" && tc.flakes != "") {
				t.Errorf("it rests on %+v", got.Last)
			}
			if slices.Contains(got.Known, "old") != (tc.known != "") {
				t.Errorf("known: %q", got.Known)
			}
		})
	}
}

func TestRunAgainThatIsCutOffShowsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	first := Evidence{Command: "sleep 60", Outcome: Failed, FailedTests: []string{"a"}}
	got := runner().Try(ctx, t.TempDir(), Validation{Command: "sleep 60"}, first, Evidence{}, func(string) { cancel() }, nil)
	if !got.Interrupted() || got.Excused() {
		t.Errorf("got %+v", got)
	}
}

func TestRunThatShowsNothingIsNoPass(t *testing.T) {
	passed := map[string]results.TestResult{"x.TestA": results.TestPassed, "x.TestB/sub": results.TestPassed, "adds #2": results.TestPassed}
	one := &results.TestCounts{Ran: 1, Passed: 1}
	for _, tc := range []struct {
		name          string
		e             Evidence
		test          string
		passed, shown bool
	}{
		{"named", Evidence{Outcome: Passed, Results: passed}, "x.TestA", true, true},
		{"its subtests are named", Evidence{Outcome: Passed, Results: passed}, "x.TestB", true, true},
		{"one of its name", Evidence{Outcome: Passed, Results: passed}, "adds", true, true},
		{"others are named", Evidence{Outcome: Passed, Results: passed, Counts: one}, "x.TestC", true, false},
		{"only counted", Evidence{Outcome: Passed, Counts: one}, "x.TestC", true, true},
		{"nothing ran", Evidence{Outcome: Passed, Counts: &results.TestCounts{Skipped: 1}}, "x.TestC", true, false},
		{"nothing was said", Evidence{Outcome: Passed}, "x.TestC", true, false},
		{"no tests", Evidence{Outcome: NothingToRun}, "x.TestC", false, false},
		{"failed", Evidence{Outcome: Failed, FailedTests: []string{"x.TestB/sub"}}, "x.TestB", false, true},
		{"something else failed", Evidence{Outcome: Failed, FailedTests: []string{"x"}}, "x.TestB", false, false},
		{"it never ends", Evidence{Outcome: TimedOut}, "x.TestB", false, true},
	} {
		if passed, shown := shows(tc.e, tc.test); passed != tc.passed || shown != tc.shown {
			t.Errorf("%s: %v %v", tc.name, passed, shown)
		}
	}
}

func TestGoTestThatHoldsAFailedOneIsNotRunAgain(t *testing.T) {
	got := failedLeaves([]string{"x.TestA", "x.TestA/b/c", "x.TestA/b", "x.TestAB", "x", "x/y.TestC", "a", "a/b"})
	if diff := cmp.Diff([]string{"a", "a/b", "x", "x.TestA/b/c", "x.TestAB", "x/y.TestC"}, got); diff != "" {
		t.Error(diff)
	}
}
