package worker

import (
	"bytes"
	"strings"
	"testing"

	"autopilot/personas"
	"autopilot/temporal/hub"
)

const (
	secret  = "correct-horse-battery-staple" // the value of LEAK_TOKEN
	keyLike = "sk-live-0123456789abcdefghijklmn"
)

// planning is the beginning of agents that plan one task.
const planning = `
version: 1
dispatches:
  - persona: planner
    phase: 1
    turns:
      - calls:
          - write_file:
              path: docs/plans/greeting-plan.md
              content: |
                # Plan: Greeting
                ## Tasks
                ### Task 1: Say hello
`

// leaking are agents that say all that they see, and a check that prints the environment and fails once.
var leaking = strings.NewReplacer("LEAKED", secret, "KEYLIKE", keyLike).Replace(planning + `                **Files:** phrases.txt | **Validation:** ` + "`echo $LEAK_TOKEN; grep hello phrases.txt`" + `
      - reply: {status: done, summary: "LEAKED and KEYLIKE", planPath: docs/plans/greeting-plan.md}
  - persona: executor
    phase: 1
    task: task-001
    turns:
      - text: The token is LEAKED and the key is KEYLIKE.
        calls:
          - run_command: {command: "env; echo $LEAK_TOKEN"}
          - scratchpad_write: {name: notes.md, content: "LEAKED and KEYLIKE"}
          - write_file: {path: phrases.txt, content: "hallo\n"}
      - reply: {status: done, summary: "LEAKED and KEYLIKE", concerns: ["LEAKED and KEYLIKE"], learnings: [{outcome: gotcha, text: "LEAKED and KEYLIKE"}]}
  - persona: verifier
    phase: 1
    task: task-001
    turns: [reply: {status: done, summary: "LEAKED and KEYLIKE"}]
  - persona: executor
    phase: 1
    task: task-001
    attempt: 2
    turns:
      - calls: [write_file: {path: phrases.txt, content: "hello\n"}]
      - reply: {status: done, summary: "LEAKED and KEYLIKE"}
  - persona: reviewer
    phase: 1
    turns: [reply: {status: done, summary: Sound., findings: [{severity: suggestion, title: "LEAKED and KEYLIKE", rationale: "LEAKED and KEYLIKE"}]}]
  - persona: reviewer
    task: final
    turns: [reply: {status: done, summary: "LEAKED and KEYLIKE"}]
`)

// TestSecretsOfAWorkerStayThere: neither the hub's records nor Temporal have what its agents and checks print.
func TestSecretsOfAWorkerStayThere(t *testing.T) {
	w, k, bare := newSession(t, leaking, "LEAK_TOKEN="+secret)
	w.runs(t, k)
	all := map[string][]byte{"Temporal": w.got, "the log": w.log.Bytes()}
	for _, object := range strings.Fields(output(bare, "rev-list", "--objects", "--no-object-names", hub.RecordsRef("spec"), hub.MemoryRef)) {
		if output(bare, "cat-file", "-t", object) != "tree" {
			all[object] = []byte(output(bare, "cat-file", "-p", object))
		}
	}
	masked := 0
	for name, text := range all {
		for _, word := range []string{secret, keyLike} {
			if at := bytes.Index(text, []byte(word)); at >= 0 {
				t.Errorf("%s has %s: …%s…", name, word, text[max(0, at-80):at+len(word)])
			}
		}
		if bytes.Contains(text, []byte(personas.Masked)) {
			masked++
		}
	}
	if masked < 5 || !bytes.Contains(w.got, []byte(personas.Masked)) {
		t.Errorf("%d of %d places have something masked: the test looks elsewhere", masked, len(all))
	}
}
