package cmd_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"autopilot/cmd/console"
)

// What has the name of the task file and is none is told by every command in the same words. It does not lead them on to the
// list of a folder above.
func TestWhatIsNoPlainTaskFileIsToldByEveryCommand(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such files")
	}
	t.Parallel()
	p := newEmptyPlace(t)
	p.put(t, filepath.Join(p.repo, "docs", "spec.md"), []byte(goodSpec))
	p.put(t, filepath.Join(p.repo, "features.json"), []byte(`{"features": []}`))
	p.put(t, filepath.Join(p.dir, "harness-tasks.json"), []byte(`{"version": 2, "tasks": [{"id": "above", "title": "Of the folder above"}]}`))
	p.begin(t)
	file := filepath.Join(p.repo, "harness-tasks.json")
	for what, put := range map[string]func(string) error{
		"a pipe": aPipe, "a device": aDevice, "a loop": aLoop, "a folder": func(path string) error { return os.Mkdir(path, 0o755) },
	} {
		if err := put(file); err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{
			"tasks list", "tasks status", "tasks add title", "tasks run", "tasks init", "tasks claim", "tasks import features.json", "tasks complete above",
		} {
			got := p.command(console.Host{In: strings.NewReader("")}, strings.Fields(line)...)
			if got.code != 2 || !strings.HasSuffix(got.text, file+" is not a plain file or folder of the session: move it away and run again\n") {
				t.Errorf("%s, autopilot %s: exit code %d:\n%s", what, line, got.code, got.text)
			}
		}
		p.put(t, filepath.Join(p.repo, ".harness-active"), nil)
		got := p.command(console.Host{In: strings.NewReader(`{}`)}, "hook", "stop")
		if !strings.Contains(got.text, "harness-tasks.json") {
			t.Errorf("%s: the stop hook said %q", what, got.text)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
}
