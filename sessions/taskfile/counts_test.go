package taskfile

import (
	"testing"

	"pgregory.net/rapid"
)

func TestListIsOverWhenNothingIsLeftForAnyWorker(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  bool
	}{
		"no tasks":                            {nil, true},
		"all are completed":                   {[]string{"a completed", "b completed"}, true},
		"one failed for good":                 {[]string{"a completed", "b failed - - 3/3"}, true},
		"one was failed with what it needs":   {[]string{"a failed - - 3/3", "b failed - a 0/3 1 [DEPENDENCY] Blocked by failed a"}, true},
		"one is pending":                      {[]string{"a completed", "b"}, false},
		"one is in progress":                  {[]string{"a in_progress"}, false},
		"one has attempts left":               {[]string{"a failed - - 1/3"}, false},
		"one waits for what is in progress":   {[]string{"a in_progress", "b pending - a"}, false},
		"one waits for what failed":           {[]string{"a failed - - 3/3", "b pending - a"}, false},
		"one waits for what is not there":     {[]string{"a completed", "b pending - z"}, false},
		"one with attempts left waits for it": {[]string{"b failed - z 1/3"}, false},
		"two wait for each other":             {[]string{"a pending - b", "b pending - a"}, false},
		"a status of another program":         {[]string{"a waiting"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := listOf(t, c.lines...).Over(); got != c.want {
				t.Errorf("over: %t, want %t", got, c.want)
			}
		})
	}
}

func TestListThatIsOverHasNothingToBeginAndNothingInProgress(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawnList(t)
		if c := l.Counts(); l.Over() && (len(l.Eligible()) > 0 || c.Running > 0 || c.Pending > 0) {
			t.Fatalf("over with %s, eligible %q", c, ids(l.Eligible()))
		}
	})
}

func TestACommandOfCommentsAloneChecksNothing(t *testing.T) {
	for command, want := range map[string]bool{
		"": false, " \t\n": false, "# later": false, "  # a\n\n# b": false,
		"true": true, ":": true, "# first\ngo test ./...": true, "echo '#'": true, "test -s a # there": true,
	} {
		if got := (ListedValidation{Command: command}).Checks(); got != want {
			t.Errorf("%q: %v, want %v", command, got, want)
		}
	}
}
