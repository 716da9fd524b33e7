package sessions

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"

	"autopilot/sessions/storage"
	"autopilot/sessions/view"
)

// nowName is the file in which a live run says what it does at this moment. It decides nothing.
const nowName = "now.json"

// WriteNow replaces now.json in a session's folder. It waits for no disk: a crash may lose it. Behind a link nothing is written.
func WriteNow(dir string, n view.Now) error {
	data, err := indented(n)
	if err != nil {
		return err
	}
	if err := plainFolders(storage.OSDisk{}, dir); err != nil {
		return err
	}
	return storage.ReplaceFile(storage.OSDisk{}, join(dir, nowName), data, false)
}

// RemoveNow removes now.json, at the end of a run; behind a link nothing.
func RemoveNow(dir string) {
	if plainFolders(storage.OSDisk{}, dir) == nil {
		_ = os.Remove(join(dir, nowName))
	}
}

// ReadNow reads what a run does at this moment; nil where nothing says it. After a kill the file of the killed run is still
// there: whoever reads it asks Held first.
func ReadNow(dir string) (*view.Now, error) {
	path := join(dir, nowName)
	if err := storage.Plain(storage.OSDisk{}, path); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // nothing is said
	}
	n := &view.Now{}
	if err == nil {
		err = json.Unmarshal(data, n)
	}
	if err != nil {
		return nil, err
	}
	return n, nil
}
