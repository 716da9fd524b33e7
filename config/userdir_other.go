//go:build darwin || windows

package config

import "os"

func platformDir([]string) (string, error) { return os.UserConfigDir() }
