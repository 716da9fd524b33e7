package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"sync"

	"autopilot/autopilot/machine"
)

// Castagnoli is the polynomial of CRC-32C, which processors have an instruction for. Its tables take a quarter of a
// millisecond to make, and commands that look at no session need none.
var Castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

var blankCRC = []byte(`"stateCrc": "`)

// ErrDamaged says that a file is no whole one.
var ErrDamaged = errors.New("it is damaged")

// Encode is the snapshot's file: the state as indented JSON with the keys that the last reader did not know,
// and the checksum over the file with that value blank.
func Encode(s machine.State, unknown *Kept) ([]byte, error) {
	s.StateCRC = "00000000"
	body, err := Compact(s)
	if err == nil {
		body, err = unknown.Overlay(body)
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
	return crc32.Update(crc32.Checksum(file[:at], Castagnoli()), Castagnoli(), file[at+8:])
}

// Intact says whether the file's stateCrc is that of its bytes.
func Intact(file []byte) bool {
	at := bytes.Index(file, blankCRC)
	if at < 0 || len(file) < at+len(blankCRC)+8 {
		return false
	}
	at += len(blankCRC)
	want, err := strconv.ParseUint(string(file[at:at+8]), 16, 32)
	return err == nil && uint32(want) == blankSum(file, at)
}

// Versions are how snapshots name their version that are read as they are: in 7 a state names what it compares with, which
// one of version 6 has in files beside it.
var Versions = []string{"6", strconv.Itoa(machine.SchemaVersion)}

// IsOurs says whether a version is one of Versions.
func IsOurs(version int) bool { return slices.Contains(Versions, strconv.Itoa(version)) }
