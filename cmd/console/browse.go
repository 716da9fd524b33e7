package console

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
)

// Browse shows a file or an address in the user's browser.
func Browse(ctx context.Context, target string) error {
	command := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
	if command == nil {
		command = []string{"xdg-open"}
	}
	if err := exec.CommandContext(ctx, command[0], append(command[1:], target)...).Run(); err != nil { //nolint:gosec // a program of ours, with what was just made
		return fmt.Errorf("can't open a browser: %w\n  open it yourself: %s", err, target)
	}
	return nil
}
