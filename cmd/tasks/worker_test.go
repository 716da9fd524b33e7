package tasks

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"

	"autopilot/autopilot/git"
	"autopilot/cmd/console"
)

// TestWhoWaitsForOtherWorkersIsInterruptedAsARunIs: Ctrl-C while others keep the line is no error of the program.
func TestWhoWaitsForOtherWorkersIsInterruptedAsARunIs(t *testing.T) {
	dir, h := t.TempDir(), &console.Host{Now: time.Now}
	if err := exec.CommandContext(t.Context(), "git", "init", "--quiet", dir).Run(); err != nil {
		t.Fatal(err)
	}
	repo, err := git.Find(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	release, err := lockLine(t.Context(), repo, h)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(console.BySignal(os.Interrupt))
	if _, err := lockLine(ctx, repo, h); console.ExitCode(ctx, err) != 130 {
		t.Errorf("exit code %d: %v", console.ExitCode(ctx, err), err)
	}
}
