package cmd_test

import (
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// mostMemory is what the program may take whatever others print, in bytes.
const mostMemory = 64 << 20

// peakOf is the most memory that a process took so far, in bytes; 0 where it is gone.
func peakOf(pid int) int64 {
	var kB int64
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	_, _ = fmt.Sscanf(rest, "%d kB", &kB)
	return kB << 10
}

// builtWithRace says whether the tests are built with the race detector, which takes much memory of its own.
func builtWithRace() bool {
	info, _ := debug.ReadBuildInfo()
	return info != nil && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// kilobytes reads a number as the files of a process give it: "1234 kB".
func kilobytes(t *testing.T, path string) (n int) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		_, err = fmt.Sscanf(string(text), "%d kB", &n)
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}
