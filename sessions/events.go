package sessions

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
)

// errEnough ends a pass over a journal early.
var errEnough = errors.New("enough events")

// Events gives the events after a revision, oldest first, as the journal has them without their checksums: at most
// limit of them, and not more than size bytes unless the first alone is longer. It takes no lock and writes nothing. A
// session without a journal, such as one of an older program, has none.
func Events(dir string, after int64, limit, size int, opts Options) ([]json.RawMessage, error) {
	opts = opts.withDefaults()
	if err := plainSession(opts.Disk, dir); err != nil {
		return nil, err
	}
	var events []json.RawMessage
	_, err := scanFile(opts.Disk, join(dir, JournalName), after, true, func(rev, _ int64, line []byte) error {
		if rev <= after {
			return nil
		}
		size -= len(line)
		if len(events) >= limit || size < 0 && len(events) > 0 {
			return errEnough
		}
		events = append(events, append(bytes.Clone(line[:len(line)-crcBytes]), '}'))
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	return events, nil
}
