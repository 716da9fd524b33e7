package sessions

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

// castagnoli is the polynomial of CRC-32C, which processors have an instruction for. Its tables take a quarter of a
// millisecond to make, and commands that look at no session need none.
var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

var blankCRC = []byte(`"stateCrc": "`)

// errDamaged says that a file is no whole one.
var errDamaged = errors.New("it is damaged")

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

// ourVersions are how snapshots name their version that are read as they are: in 7 a state names what it compares with, which
// one of version 6 has in files beside it.
var ourVersions = []string{"6", strconv.Itoa(machine.SchemaVersion)}

func isOurs(version int) bool { return slices.Contains(ourVersions, strconv.Itoa(version)) }
