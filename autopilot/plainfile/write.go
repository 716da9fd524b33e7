package plainfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
)

// WriteJSON writes a file for people: indented, with <, > and & as they are. The folder is made where it is missing: an
// agent can have deleted it.
func WriteJSON(path string, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	if err := errors.Join(MakeFolder(filepath.Dir(path)), File(path)); err != nil {
		return err
	}
	return WriteFile(path, b.Bytes(), PrivateFile)
}

// WriteFile is os.WriteFile that follows no link out of the folder that a .harness lies in.
func WriteFile(path string, data []byte, mode os.FileMode) error {
	f, err := OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// Replace writes a file so that readers see it whole, before or after; a kill leaves the one before. Its folder is made where
// it is missing.
func Replace(path string, data []byte) error {
	temp := path + ".tmp" // always the same name, so that one that a kill left behind goes with the next
	if err := errors.Join(MakeFolder(filepath.Dir(path)), os.RemoveAll(temp)); err != nil {
		return err
	}
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, PrivateFile)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return nil
}
