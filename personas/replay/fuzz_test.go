package replay

import (
	"strings"
	"testing"
)

// FuzzReplayFile: a replay file is refused by its name, or each of its dispatches can be played.
func FuzzReplayFile(f *testing.F) {
	for _, text := range []string{
		"version: 1", "version: 1\ndispatches: [{persona: planner, phase: 1, turns: [{text: a, calls: [read_file: {path: b}]}, {reply: {status: done, summary: x}}]}]",
		"version: 1\ndispatches: [{persona: executor, phase: 1, task: t, attempt: 2, turns: [{fault: rate_limited, retry_after: 90s, times: 1}]}]",
		"&a [*a]", "version: 1e999", "version: 1\ndispatches: [~]", "version: 1\ndispatches: [{persona: planner, turns: [~]}]", "a: &a [x]\nb: &b [*a,*a]\nversion: 1",
		"version: 1\ndispatches: [{persona: planner, turns: [{calls: [run_command: '{']}]}]",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Parse("r.yaml", data)
		if err != nil {
			if !strings.Contains(err.Error(), "r.yaml") || strings.Contains(err.Error(), "replay.document") {
				t.Errorf("an error that does not help: %v", err)
			}
			return
		}
		for _, key := range file.Unused(nil) {
			if _, err := file.Model(key); err != nil {
				t.Errorf("%s cannot be played: %v", key, err)
			}
		}
	})
}
