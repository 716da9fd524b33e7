package sessions

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"autopilot/autopilot/machine"
	"autopilot/sessions/storage"
)

// LastRun is how the last run of the session in dir was started; zero where an older program recorded nothing of it. It takes
// no lock.
func LastRun(dir string) (machine.RunWith, error) {
	var with machine.RunWith
	_, err := scanFile(storage.OSDisk{}, join(dir, JournalName), 0, false, func(_, _ int64, line []byte) error {
		if !bytes.Contains(line, []byte(machine.RunStarted)) {
			return nil
		}
		e, err := decodeLine(line)
		if err == nil && e.Type == machine.RunStarted {
			if with = (machine.RunWith{}); e.With != nil {
				with = *e.With
			}
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return with, fmt.Errorf("reading the journal: %w", err)
	}
	return with, nil
}
