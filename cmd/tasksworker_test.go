package cmd

import (
	"context"
	"os"
	"testing"
	"time"

	"autopilot/cmd/console"
)

// TestWhoWaitsForOtherWorkersIsInterruptedAsARunIs: Ctrl-C while others keep the line is no error of the program.
func TestWhoWaitsForOtherWorkersIsInterruptedAsARunIs(t *testing.T) {
	repo, h := patientOf(t, nil).repo, &console.Host{Now: time.Now}
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
