//go:build !unix

package git

import "os/exec"

func apart(*exec.Cmd) {}

// endGently ends the command at once where there is no gentler way.
func endGently(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func endAll(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = cmd.Process.Kill()
	}
}

// over cannot be told here without a handle of its own; the command is ended after the pause.
func over(*exec.Cmd) bool { return false }
