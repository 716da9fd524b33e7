//go:build !darwin && !windows

package config

import (
	"strings"
	"testing"
)

func TestUserDirFallsBackToHome(t *testing.T) {
	for _, xdg := range []string{"XDG_CONFIG_HOME=", "XDG_CONFIG_HOME=relative"} {
		if got, err := UserDir([]string{"HOME=/home/u", xdg}); err != nil || got != "/home/u/.config/autopilot" {
			t.Errorf("%s: got %q, %v", xdg, got, err)
		}
	}
	if _, err := UserDir(nil); err == nil || !strings.HasSuffix(err.Error(), "set XDG_CONFIG_HOME") {
		t.Errorf("without HOME: %v", err)
	}
}
