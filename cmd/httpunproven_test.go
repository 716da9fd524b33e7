package cmd_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"autopilot/personas/replay"
)

// TestAgentThatInsistsIsWarnedOfOldTestsOnce plays the first phase of the story old-tests with a server: its model's work is
// checked whenever it is submitted, that of a replay file not at its last turn.
func TestAgentThatInsistsIsWarnedOfOldTestsOnce(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "scripts", "old-tests.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	j := shortWay(t, nil)
	for _, f := range archive.Files {
		switch name, inside := strings.CutPrefix(f.Name, "repo/"); {
		case name == "autopilot.yaml":
			j.write(name, string(f.Data)+"backends: {local: {type: openai, base_url: "+j.server.URL+"/v1, model: m, api_key_env: PHRASES_SECRET}}\n")
		case inside:
			j.write(name, string(f.Data))
		default:
			if j.server.turns, err = replay.Parse(f.Name, f.Data); err != nil {
				t.Fatal(err)
			}
		}
	}
	j.git("add", "-A")
	j.git("commit", "-q", "-m", "Sums")
	j.runs(3, "docs/spec.md")
	s, requests := j.state("spec"), 0
	for _, a := range j.server.asked {
		if a.key.Persona == "executor" {
			requests++
		}
	}
	if task := s.Tasks[0]; !task.Unproven || !task.Warned || task.Dispatches != 1 || len(task.Failures()) > 0 || requests != 3 {
		t.Errorf("%d requests, and the task is %+v", requests, task)
	}
	if s.Gate == nil || s.Gate.Kind != "verify_failed" {
		t.Errorf("the question is %+v", s.Gate)
	}
}
