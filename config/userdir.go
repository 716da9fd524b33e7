package config

import (
	"fmt"
	"path/filepath"
	"strings"
)

// UserDir gives the folder of the user's configuration file for an environment
// as os.Environ gives it: autopilot in $XDG_CONFIG_HOME, else where the
// platform keeps such files (~/.config on Linux). The folder need not exist.
func UserDir(env []string) (string, error) {
	if base := lookup(env, "XDG_CONFIG_HOME"); filepath.IsAbs(base) {
		return filepath.Join(base, "autopilot"), nil
	}
	base, err := platformDir(env)
	if err != nil {
		return "", fmt.Errorf("finding the folder of the user's configuration: %w; set XDG_CONFIG_HOME", err)
	}
	return filepath.Join(base, "autopilot"), nil
}

// StateDir returns the folder in which autopilot keeps what it learned from the
// user: autopilot in $XDG_STATE_HOME, else in ~/.local/state. The folder need
// not exist.
func StateDir(env []string) (string, error) {
	return baseDir(env, "XDG_STATE_HOME", ".local/state")
}

// CacheDir returns the folder for what autopilot can make anew at any time:
// autopilot in $XDG_CACHE_HOME, else in ~/.cache. The folder need not exist.
func CacheDir(env []string) (string, error) {
	return baseDir(env, "XDG_CACHE_HOME", ".cache")
}

// baseDir is the program's folder in that of a variable, else in one of the user's.
func baseDir(env []string, variable, inHome string) (string, error) {
	if base := lookup(env, variable); filepath.IsAbs(base) {
		return filepath.Join(base, "autopilot"), nil
	}
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if home := lookup(env, name); filepath.IsAbs(home) {
			return filepath.Join(home, filepath.FromSlash(inHome), "autopilot"), nil
		}
	}
	return "", fmt.Errorf("finding the user's folder %s: HOME is not set; set %s", inHome, variable)
}

// lookup takes the last entry of a name, as the platforms do when a process
// starts.
func lookup(env []string, name string) string {
	value := ""
	for _, entry := range env {
		if v, ok := strings.CutPrefix(entry, name+"="); ok {
			value = v
		}
	}
	return value
}
