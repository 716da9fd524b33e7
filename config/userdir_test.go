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

func TestStateDirFollowsXDG(t *testing.T) {
	base := t.TempDir()
	for _, c := range []struct {
		env  []string
		want string
	}{
		{[]string{"HOME=" + base, "XDG_STATE_HOME=" + filepath.Join(base, "s")}, filepath.Join(base, "s", "autopilot")},
		{[]string{"HOME=" + base, "XDG_STATE_HOME=relative"}, filepath.Join(base, ".local", "state", "autopilot")},
		{[]string{"HOME=relative"}, ""},
	} {
		if got, err := StateDir(c.env); got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%q: got %q, %v", c.env, got, err)
		}
	}
}
