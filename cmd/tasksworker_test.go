package cmd

import (
	"context"
	"os"
	"testing"
	"time"
)

// TestWhoWaitsForOtherWorkersIsInterruptedAsARunIs: Ctrl-C while others keep the line is no error of the program.
func TestWhoWaitsForOtherWorkersIsInterruptedAsARunIs(t *testing.T) {
	repo, h := patientOf(t, nil).repo, &Host{Now: time.Now}
	release, err := lockLine(t.Context(), repo, h)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(bySignal(os.Interrupt))
	if _, err := lockLine(ctx, repo, h); exitCode(ctx, err) != 130 {
		t.Errorf("exit code %d: %v", exitCode(ctx, err), err)
	}
}
