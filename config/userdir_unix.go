//go:build !darwin && !windows

package config

import (
	"errors"
	"path/filepath"
)

func platformDir(env []string) (string, error) {
	home := lookup(env, "HOME")
	if home == "" {
		return "", errors.New("HOME is not set")
	}
	return filepath.Join(home, ".config"), nil
}
