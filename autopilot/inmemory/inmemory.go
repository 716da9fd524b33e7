// Package inmemory has a package's tests keep their temporary files in memory, where there is room: tests that run git wait
// for the disk more than for anything else, and nothing of them has to outlive the machine.
//
// Only a TestMain calls it. What a power cut leaves is tested with disks of our own.
package inmemory

import "os"

// Use makes memory the place of temporary files, unless TMPDIR names another one.
func Use() {
	if dir := Dir(); dir != "" && os.Getenv("TMPDIR") == "" {
		_ = os.Setenv("TMPDIR", dir) // else the disk is used
	}
}
