//go:build !unix

package git

import (
	"os"
	"os/exec"
	"time"
)

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

func changedAt(path string) (time.Time, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}

// Inode is not known here.
func Inode(string) uint64 { return 0 }
