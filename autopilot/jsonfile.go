package autopilot

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"autopilot/autopilot/plainfile"
)

// writeJSON writes a file for people: indented, with <, > and & as they are. The folder is made where it is missing: an
// agent can have deleted it.
func writeJSON(path string, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), plainfile.File(path)); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
