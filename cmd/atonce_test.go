package cmd_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestCtrlCEndsACommandThatOnlyLooks: whoever reads what it prints has stopped reading, so that it would wait for ever.
func TestCtrlCEndsACommandThatOnlyLooks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be sent a Ctrl-C here")
	}
	t.Parallel()
	text := strings.Builder{}
	text.WriteString("# T\n\n## Implementation Order\n\n")
	for n := range 9000 {
		fmt.Fprintf(&text, "### Phase %d: Name\n", n+1)
	}
	spec := filepath.Join(t.TempDir(), "spec.md")
	if err := os.WriteFile(spec, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("autopilot", "lint", spec)
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() })
	defer late.Stop()
	if _, err := out.Read(make([]byte, 1)); err != nil { // it has begun to print
		t.Error(err)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Error(err)
	}
	state, err := c.Process.Wait() // not of the command: that would close the pipe
	if err != nil || state.ExitCode() != 130 {
		t.Errorf("lint ended with %v, %v", state, err)
	}
}
