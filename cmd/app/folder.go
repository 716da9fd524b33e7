package app

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// NearestFolder is the folder of a path, or the nearest one above it that exists.
func NearestFolder(path string) string {
	dir := filepath.Dir(path)
	for dir != filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			break
		}
		dir = filepath.Dir(dir)
	}
	return dir
}

// WriteFile writes a file, and makes its folder where that is not there.
func WriteFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// Git runs git in a repository that the program made for itself, and gives what it prints.
func Git(ctx context.Context, dir string, environ []string, args ...string) (string, error) {
	git := exec.CommandContext(ctx, "git", args...)
	var said bytes.Buffer
	git.Dir, git.Env, git.Stderr = dir, environ, &said
	out, err := git.Output()
	if err != nil {
		err = fmt.Errorf("git %s: %w: %s%s", args[0], err, out, &said)
	}
	return string(out), err
}
