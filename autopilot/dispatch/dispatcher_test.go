package dispatch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/autopilot/halt"
	"autopilot/autopilot/plainfile"
	"autopilot/personas"
)

// TestAFolderForAgentsSaysWhatKeepsItFromBeingMade: only what stands in its way is told as such; a full disk, or a right
// that is missing, is what it is.
func TestAFolderForAgentsSaysWhatKeepsItFromBeingMade(t *testing.T) {
	d := Dispatcher{Root: t.TempDir()}
	open := func(out ...string) error {
		return d.Open(personas.Dispatch{OutDir: filepath.Join(append([]string{d.Root}, out...)...)})
	}
	if err := os.WriteFile(filepath.Join(d.Root, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var refused *halt.UsageError
	if err := open("file", "out"); !errors.As(err, &refused) {
		t.Errorf("a file in its way: %v", err)
	}
	err := open("out", strings.Repeat("n", 300))
	var system *fs.PathError
	if errors.As(err, &refused) || !errors.As(err, &system) || strings.Contains(err.Error(), "in its way") {
		t.Errorf("an error of the system: %v", err)
	}
	if err := open("out", "one"); err != nil {
		t.Error(err)
	}
}

func TestAnAttemptKeepsWhatIsSentAndWhatComesBack(t *testing.T) {
	set, err := personas.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	by := Dispatcher{Root: root, Mask: personas.NewMask(nil, "sesame-open-4711")}
	attempt := filepath.Join(root, "attempts", "1")
	d, err := by.Prepare(Order{
		ID: "d1", Persona: set.For(personas.Executor, personas.Work), Purpose: personas.Work, Attempt: attempt, Notes: true,
		Key: personas.Key{Persona: "executor", Task: "t", Attempt: 2},
	}, func(personas.Dispatch) (personas.Brief, map[string]string, error) {
		return personas.Brief{Purpose: personas.Work, Remark: "say sesame-open-4711", Notes: []string{"say sesame-open-4711"}}, map[string]string{"AUTOPILOT_BASE": "c", "HARNESS_TASK_ID": "t"}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	sent, err := os.ReadFile(filepath.Join(attempt, "prompt.md"))
	if err != nil || !strings.Contains(d.Prompt, "sesame-open-4711") || strings.Contains(string(sent), "sesame") {
		t.Errorf("the prompt is kept with a secret in it, or is not what is sent: %v", err)
	}
	for name, want := range map[string]string{
		"AUTOPILOT_BASE": "c", "HARNESS_TASK_ID": "t", "AUTOPILOT_ATTEMPT": "2", "AUTOPILOT_PHASE": "", "AUTOPILOT_REPLY": filepath.Join(root, ".harness", "out", "d1", "reply.json"),
		"AUTOPILOT_SCRATCHPAD": filepath.Join(root, ".harness", "out", "d1", "scratchpad"),
	} {
		if got, there := d.Env[name]; got != want || !there {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if !WasCutOff(attempt) {
		t.Error("sent, and without a reply, it is not taken for one that was cut off")
	}
	if err := Keep(attempt, personas.Outcome{Kind: personas.Waiting}); err != nil || WasCutOff(attempt) {
		t.Errorf("one that waits for a person is taken for one that was cut off: %v", err)
	}
	if err := Keep(attempt, personas.Outcome{Kind: personas.GotReply, Reply: &personas.Reply{Summary: "a < b"}}); err != nil {
		t.Error(err)
	}
	var reply personas.Reply
	if err := plainfile.ReadJSON(filepath.Join(attempt, "reply.json"), &reply); err != nil || reply.Summary != "a < b" {
		t.Errorf("the reply is kept as %+v, %v", reply, err)
	}
}
