package cmd_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/personas/replay"
)

const waveSpec = "# Words\n\n## Implementation Order\n\n### Phase 1: Words\n"

const waveTurns = `version: 1
dispatches:
  - persona: planner
    phase: 1
    turns:
      - calls:
          - write_file:
              path: docs/plans/words.md
              content: |
                # Plan: Words
                ## Tasks
                ### Task 1: One
                **Files:** one.txt | **Validation:** ` + "`grep -q one one.txt`" + `
                ### Task 2: Two
                **Files:** two.txt | **Validation:** ` + "`grep -q two two.txt`" + `
      - reply: {status: done, summary: Two tasks., planPath: docs/plans/words.md}
  - persona: executor
    phase: 1
    task: task-001
    turns:
      - calls: [write_file: {path: one.txt, content: "one\n"}]
      - reply: {status: done, summary: Written.}
  - persona: executor
    phase: 1
    task: task-002
    turns:
      - calls: [write_file: {path: two.txt, content: "two\n"}]
      - reply: {status: done, summary: Written.}
  - {persona: reviewer, phase: 1, turns: [reply: {status: done, summary: Sound.}]}
  - {persona: reviewer, task: final, turns: [reply: {status: done, summary: Sound.}]}
`

// newWaveJourney is a journey over a phase of two tasks that are at work at once.
func newWaveJourney(t *testing.T) *journey {
	t.Helper()
	j := newJourney(t, fmt.Sprintf(configured, true), withConfiguredKey, []string{"--fast", "--parallel", "2"})
	turns, err := replay.Parse("replay.yaml", []byte(waveTurns))
	if err != nil {
		t.Fatal(err)
	}
	j.server.turns = turns
	j.write("docs/words.md", waveSpec)
	return j
}

// TestLimitInAWaveSpendsNothingAndStopsNobody: one of two tasks meets a limit while the other one's agent is in the middle
// of its work, which is paid for.
func TestLimitInAWaveSpendsNothingAndStopsNobody(t *testing.T) {
	j := newWaveJourney(t)
	began, refused := make(chan struct{}), make(chan struct{})
	begin, refuse := sync.OnceFunc(func() { close(began) }), sync.OnceFunc(func() { close(refused) })
	j.server.fault = func(a asked) http.HandlerFunc {
		switch {
		case a.key.Task == "task-001" && a.turn == 1:
			<-began
			refuse()
			return refusal(429, "the quota of this hour is used up", "Retry-After", "3600")
		case a.key.Task == "task-002":
			begin()
			<-refused
		}
		return nil
	}
	j.runs(5, "docs/words.md", "--wait", "never")
	if !strings.Contains(j.last, "the quota of this hour") || !strings.Contains(j.last, "until ") {
		t.Errorf("it does not say what the limit is:\n%s", j.last)
	}
	s := j.state("words")
	if one := s.Tasks[0]; len(one.Attempts) != 0 || one.Dispatches != 0 || one.Status == machine.TaskCompleted {
		t.Errorf("the limit counted as something: %+v", one)
	}
	if two := s.Tasks[1]; two.Dispatches != 1 || len(two.Failures()) > 0 || two.Lane.Busy() {
		t.Errorf("the other task did not come to its end: %+v", two)
	}
	asked := len(j.server.asked)
	j.runs(5, "docs/words.md", "--wait", "never")
	if len(j.server.asked) != asked {
		t.Error("it asked again before the limit was over")
	}
	j.server.fault, j.later = nil, 2*time.Hour
	j.runs(0, "docs/words.md")
	if again := j.server.asked[asked].prompt; !strings.Contains(again, "This attempt was cut off") || !strings.Contains(again, "Attempt: 1 of 4") {
		t.Errorf("the resumed attempt is not told that it was cut off:\n%s", again)
	}
	if s = j.state("words"); s.History[0].RetriesUsed != 0 || s.Usage.Dispatches != 6 {
		t.Errorf("%d retries, %d dispatches", s.History[0].RetriesUsed, s.Usage.Dispatches)
	}
	for file, want := range map[string]string{"one.txt": "one", "two.txt": "two"} {
		if got := j.git("show", "HEAD:"+file); got != want {
			t.Errorf("%s holds %q", file, got)
		}
	}
	if left := j.git("worktree", "list") + j.git("branch", "--list"); strings.Contains(left, "task-") {
		t.Errorf("left behind:\n%s", left)
	}
	j.keepsTheKey()
}
