package app

import (
	"fmt"
	"os"
	"strings"

	"autopilot/autopilot/journal"
	"autopilot/autopilot/process"
	"autopilot/autopilot/words"
)

// EndLeft ends the processes that an earlier run left, and says so. The caller holds the lock of that run. The error is a
// *process.LeftError.
func EndLeft(lock *os.File, report journal.Reporter) error {
	ended, err := process.EndLeft(lock)
	if len(ended) > 0 {
		report.Report(journal.Note{Event: "warning", Text: fmt.Sprintf("The last run and its supervisor were killed, and processes of it lived on. Ended: %s.",
			strings.Join(words.FirstFew(ended, 8), ", "))})
	}
	return err
}
