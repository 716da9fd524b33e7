package sessions

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"autopilot/autopilot/machine"
	"autopilot/sessions/format"
	"autopilot/sessions/legacy"
	"autopilot/sessions/storage"
)

// SnapshotName is the file of a session that has its state.
const SnapshotName = "autopilot-state.json"

const backupName = SnapshotName + ".bak"

var versionStart = []byte(`"schemaVersion": `)

// The words of a snapshot that cannot be taken as it is.
var (
	errEdited = errors.New("it was changed by another hand")
	errOlder  = errors.New("it is of an older program")
)

// decodeSnapshot reads a snapshot's file. It returns errDamaged, errEdited, errOlder or *NewerError for one that cannot
// be taken.
func decodeSnapshot(path string, file []byte) (machine.State, error) {
	var s machine.State
	if format.Intact(file) && json.Unmarshal(file, &s) == nil && format.IsOurs(s.SchemaVersion) {
		s.SchemaVersion = machine.SchemaVersion
		return s, nil
	}
	return machine.State{}, whyNotTaken(path, file)
}

// whyNotTaken finds out what is wrong with a snapshot.
func whyNotTaken(path string, file []byte) error {
	var head struct {
		SchemaVersion json.RawMessage `json:"schemaVersion"`
	}
	if err := json.Unmarshal(file, &head); err != nil {
		return format.ErrDamaged
	}
	if !slices.Contains(format.Versions, string(head.SchemaVersion)) {
		return otherVersion(path, file, head.SchemaVersion)
	}
	if !format.Intact(file) {
		return errEdited
	}
	return format.ErrDamaged // a value that no state has
}

// otherVersion tells a file of another program's version from one of ours in which just that digit is wrong.
func otherVersion(path string, file []byte, written json.RawMessage) error {
	for _, ours := range format.Versions {
		if format.Intact(bytes.Replace(file, slices.Concat(versionStart, written), append(slices.Clip(versionStart), ours...), 1)) {
			return errEdited
		}
	}
	var v any
	dec := json.NewDecoder(bytes.NewReader(written))
	dec.UseNumber()
	if dec.Decode(&v) != nil {
		return errOlder // it names none
	}
	if n, ok := legacy.Version(v); ok && n > machine.SchemaVersion {
		return &NewerError{Path: path, Version: n}
	}
	return errOlder
}

// writeSnapshot replaces the snapshot in dir; the one before becomes .bak. At each moment of it a good one is there.
func writeSnapshot(disk storage.Disk, dir string, file []byte) error {
	if err := storage.ReplaceDurably(disk, join(dir, SnapshotName), file, true); err != nil {
		return fmt.Errorf("replacing the snapshot: %w", err)
	}
	return nil
}
