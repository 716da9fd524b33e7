package cmd_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/personas/replay"
)

const (
	leaked  = "correct-horse-battery-staple" // the value of LEAK_TOKEN
	keyLike = "sk-live-0123456789abcdefghijklmn"
)

// leaking is a model that says all that it sees, and a task whose check prints the environment.
var leaking = strings.NewReplacer("LEAKED", leaked, "KEYLIKE", keyLike).Replace(`
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
                **Files:** phrases.txt | **Validation:** ` + "`echo $LEAK_TOKEN; cat leak.txt; env; grep hello phrases.txt`" + `
      - reply: {status: done, summary: One task., planPath: docs/plans/greeting-plan.md}
  - persona: executor
    phase: 1
    task: task-001
    turns:
      - text: The token is LEAKED and the key is KEYLIKE.
        calls:
          - run_command: {command: "env; cat leak.txt"}
          - read_file: {path: leak.txt}
          - search: {pattern: horse}
          - scratchpad_write: {name: notes.md, content: "LEAKED and KEYLIKE"}
          - write_file: {path: phrases.txt, content: "hallo\n"}
      - reply: {status: done, summary: "LEAKED and KEYLIKE", concerns: ["LEAKED and KEYLIKE"], learnings: [{outcome: gotcha, text: "LEAKED and KEYLIKE"}]}
  - persona: executor
    phase: 1
    task: task-001
    attempt: 2
    turns:
      - calls: [write_file: {path: phrases.txt, content: "hello\n"}]
      - reply: {status: done, summary: "LEAKED and KEYLIKE", learnings: [{outcome: gotcha, text: "LEAKED and KEYLIKE"}]}
  - persona: verifier
    phase: 1
    turns:
      - reply: {status: done, summary: "LEAKED and KEYLIKE", evidence: [{command: cat leak.txt, exitCode: 0, note: "LEAKED and KEYLIKE"}]}
  - persona: reviewer
    phase: 1
    turns: [reply: {status: done, summary: Sound., findings: [{severity: suggestion, title: "LEAKED and KEYLIKE", rationale: "LEAKED and KEYLIKE"}]}]
  - persona: reviewer
    task: final
    turns: [reply: {status: done, summary: Sound., criteria: [{text: A greeting is there., satisfied: true, confidence: high, evidence: "LEAKED and KEYLIKE"}]}]
`)

func TestSecretsStayWhereTheyAre(t *testing.T) {
	j := newJourney(t, "backends: {local: {type: openai, base_url: ADDRESS, model: m, api_key_env: PHRASES_SECRET}}\n",
		[]string{"PHRASES_SECRET=" + apiKey, "LEAK_TOKEN=" + leaked}, nil)
	turns, err := replay.Parse("leaking.yaml", []byte(leaking))
	if err != nil {
		t.Fatal(err)
	}
	j.server.turns = turns
	j.write("leak.txt", leaked+"\n"+keyLike+"\n")
	j.git("add", "-A")
	j.git("commit", "-q", "-m", "Leak")
	record := t.TempDir()
	j.runs(0, "docs/one.md", "--record", record)
	if s := j.state("one"); s.CurrentState != machine.Done || s.History[0].RetriesUsed != 1 {
		t.Errorf("%s, %+v", s.CurrentState, s.History)
	}
	for _, a := range j.server.asked {
		if strings.Contains(a.body, leaked) {
			t.Errorf("the secret is in the body of request %d (%s): …%s…", a.n, a.key, around(a.body, leaked))
		}
	}
	for _, secret := range []string{leaked, keyLike} {
		if strings.Contains(j.said.String(), secret) {
			t.Errorf("%s was printed: …%s…", secret, around(j.said.String(), secret))
		}
		for _, dir := range []string{filepath.Join(j.dir, ".harness"), filepath.Join(j.dir, ".git", "autopilot"), filepath.Join(j.dir, "docs"), record} {
			holds(t, dir, secret)
		}
	}
}

// holds complains of every file of a folder that has a secret in it.
func holds(t *testing.T, dir, secret string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(secret)) {
			t.Errorf("%s is in %s: …%s…", secret, path, around(string(data), secret))
		}
		files++
		return err
	})
	if err != nil || files == 0 {
		t.Errorf("looked at %d files of %s: %v", files, dir, err)
	}
}

func around(text, word string) string {
	at := strings.Index(text, word)
	return text[max(0, at-80):min(len(text), at+len(word)+20)]
}
