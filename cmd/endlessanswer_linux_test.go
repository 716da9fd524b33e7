package cmd_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// TestAnswerWithoutAnEndIsNotHeld: the server of a model says one thing for ever, in each of the forms of an answer. At the
// beginning of each request, and when nobody takes its answer any more, it looks at the program that asked.
func TestAnswerWithoutAnEndIsNotHeld(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("x", 10_000)
	for name, part := range map[string]string{
		"one line":  many,
		"pieces":    `"}}]}` + "\n\n" + `data: {"choices":[{"index":0,"delta":{"content":"` + many,
		"arguments": `"}}]}` + "\n\n" + `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"write_file","arguments":"` + many + `"}}],"refusal":"`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEmptyPlace(t)
			c := exec.Command("autopilot", "docs/spec.md", "--fast", "--yes", "--non-interactive", "--quiet")
			var most atomic.Int64
			started := make(chan struct{})
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				<-started
				most.Store(max(most.Load(), peakOf(c.Process.Pid)))
				_, err := io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":"`)
				for range 150_000_000 / len(part) {
					if err == nil {
						_, err = io.WriteString(w, part)
					}
				}
				most.Store(max(most.Load(), peakOf(c.Process.Pid)))
			}))
			t.Cleanup(s.Close)
			p.put(t, filepath.Join(p.repo, "autopilot.yaml"), []byte("backend: m\nbackends:\n  m: {type: openai, model: m, base_url: "+s.URL+"/v1}\n"))
			p.put(t, filepath.Join(p.repo, "docs", "spec.md"), []byte(goodSpec))
			p.begin(t)
			c.Dir, c.Env = p.repo, p.env
			var out bytes.Buffer
			c.Stdout, c.Stderr = &out, &out
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			close(started)
			_ = c.Wait()
			said := out.String()
			if c.ProcessState.ExitCode() != 3 || !strings.Contains(said, "the model's server failed: the answer is longer than 2 MB") {
				t.Errorf("exit code %d: %s", c.ProcessState.ExitCode(), said)
			}
			if took := most.Load(); (took == 0 || took > mostMemory) && !builtWithRace() {
				t.Errorf("it took %d MB of memory", took>>20)
			}
		})
	}
}
