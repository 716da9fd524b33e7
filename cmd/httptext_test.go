package cmd_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"autopilot/personas"
)

// TestModelWithoutToolCallingDoesTheWork: its calls stand in what it says, and what was recorded of it replays as any
// other run.
func TestModelWithoutToolCallingDoesTheWork(t *testing.T) {
	j := newJourney(t, "backends: {local: {type: openai, base_url: ADDRESS, model: m, api_key_env: PHRASES_SECRET, tools: text}}\n", withConfiguredKey, []string{"--fast"})
	j.server.fault = func(a asked) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			message, usage, err := j.server.say(r, a)
			if err != nil || len(a.chat.Tools) > 0 {
				t.Errorf("%s: %v, offered %d tools", a.key, err, len(a.chat.Tools))
			}
			streamed(w, inText(t, message), usage)
		}
	}
	record := filepath.Join(t.TempDir(), "record")
	j.runs(0, "docs/one.md", "--record", record)
	if first := j.server.asked[0].chat.Messages; !strings.Contains(first[0].Content, "<<<write_file") || first[1].Role != "user" {
		t.Errorf("the tools are not told in the system prompt: %+v", first)
	}
	j.replays(record)
}

// inText writes calls as a model does that has no other way.
func inText(t *testing.T, m personas.Message) personas.Message {
	t.Helper()
	for _, call := range m.Calls {
		var arguments map[string]any
		if err := json.Unmarshal([]byte(call.Arguments), &arguments); err != nil {
			t.Error(err)
		}
		m.Content += "\n<<<" + call.Name + "\n"
		for _, key := range slices.Sorted(maps.Keys(arguments)) {
			if text, ok := arguments[key].(string); ok {
				m.Content += fmt.Sprintf("%s: <<STOP-\n%s\nSTOP\n", key, text)
				continue
			}
			value, err := json.Marshal(arguments[key])
			if err != nil {
				t.Error(err)
			}
			m.Content += fmt.Sprintf("%s: %s\n", key, value)
		}
		m.Content += ">>>\n"
	}
	m.Calls = nil
	return m
}
