package config

import (
	"path/filepath"
	"testing"
)

func TestUserDirFollowsXDG(t *testing.T) {
	base := t.TempDir()
	got, err := UserDir([]string{"HOME=/home/u", "XDG_CONFIG_HOME=/old", "XDG_CONFIG_HOME=" + base})
	if err != nil || got != filepath.Join(base, "autopilot") {
		t.Errorf("got %q, %v", got, err)
	}
}
