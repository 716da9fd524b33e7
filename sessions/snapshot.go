package sessions

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"

	"autopilot/autopilot/machine"
	"autopilot/sessions/storage"
)

// SnapshotName is the file of a session that has its state.
const SnapshotName = "autopilot-state.json"

const backupName = SnapshotName + ".bak"

var (
	blankCRC     = []byte(`"stateCrc": "`)
	versionStart = []byte(`"schemaVersion": `)
)

// encodeSnapshot is the snapshot's file: the state as indented JSON with the keys that the last reader did not know,
// and the checksum over the file with that value blank.
func encodeSnapshot(s machine.State, unknown *kept) ([]byte, error) {
	s.StateCRC = "00000000"
	body, err := compact(s)
	if err == nil {
		body, err = unknown.overlay(body)
	}
	if err != nil {
		return nil, fmt.Errorf("writing the state as JSON: %w", err)
	}
	var spread bytes.Buffer
	if err := json.Indent(&spread, body, "", "  "); err != nil {
		return nil, fmt.Errorf("writing the state as JSON: %w", err)
	}
	file := append(spread.Bytes(), '\n')
	at := bytes.Index(file, blankCRC) + len(blankCRC)
	copy(file[at:], fmt.Sprintf("%08x", blankSum(file, at)))
	return file, nil
}

// blankSum is the checksum of a snapshot's file with its stateCrc, which begins at at, left blank.
func blankSum(file []byte, at int) uint32 {
	return crc32.Update(crc32.Checksum(file[:at], castagnoli()), castagnoli(), file[at+8:])
}

// crcHolds says whether the file's stateCrc is that of its bytes.
func crcHolds(file []byte) bool {
	at := bytes.Index(file, blankCRC)
	if at < 0 || len(file) < at+len(blankCRC)+8 {
		return false
	}
	at += len(blankCRC)
	want, err := strconv.ParseUint(string(file[at:at+8]), 16, 32)
	return err == nil && uint32(want) == blankSum(file, at)
}

// The words of a snapshot that cannot be taken as it is.
var (
	errDamaged = errors.New("it is damaged")
	errEdited  = errors.New("it was changed by another hand")
	errOlder   = errors.New("it is of an older program")
)

// decodeSnapshot reads a snapshot's file. It returns errDamaged, errEdited, errOlder or *NewerError for one that cannot
// be taken.
func decodeSnapshot(path string, file []byte) (machine.State, error) {
	var s machine.State
	if crcHolds(file) && json.Unmarshal(file, &s) == nil && isOurs(s.SchemaVersion) {
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
		return errDamaged
	}
	if !slices.Contains(ourVersions, string(head.SchemaVersion)) {
		return otherVersion(path, file, head.SchemaVersion)
	}
	if !crcHolds(file) {
		return errEdited
	}
	return errDamaged // a value that no state has
}

// ourVersions are how snapshots name their version that are read as they are: in 7 a state names what it compares with, which
// one of version 6 has in files beside it.
var ourVersions = []string{"6", strconv.Itoa(machine.SchemaVersion)}

func isOurs(version int) bool { return slices.Contains(ourVersions, strconv.Itoa(version)) }

// otherVersion tells a file of another program's version from one of ours in which just that digit is wrong.
func otherVersion(path string, file []byte, written json.RawMessage) error {
	for _, ours := range ourVersions {
		if crcHolds(bytes.Replace(file, slices.Concat(versionStart, written), append(slices.Clip(versionStart), ours...), 1)) {
			return errEdited
		}
	}
	var v any
	dec := json.NewDecoder(bytes.NewReader(written))
	dec.UseNumber()
	if dec.Decode(&v) != nil {
		return errOlder // it names none
	}
	if n, ok := version(v); ok && n > machine.SchemaVersion {
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
