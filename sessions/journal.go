package sessions

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/sessions/format"
	"autopilot/sessions/storage"
)

// JournalName is the file of a session that has its events.
const JournalName = "events.jsonl"

const (
	revKey   = `{"rev":`
	crcKey   = `,"crc":"`
	crcBytes = len(crcKey) + 8 + len(`"}`) // the end of a line: ,"crc":"01234567"}
)

// encodeLine makes the journal's line of an event: its JSON with the checksum of what stands before it as last key.
func encodeLine(e machine.Event) ([]byte, error) {
	body, err := format.Compact(e)
	if err != nil {
		return nil, fmt.Errorf("writing event %s as JSON: %w", e.Type, err)
	}
	return sign(body[:len(body)-1]), nil // without the closing brace
}

// sign ends a line with the checksum of what it holds so far.
func sign(body []byte) []byte {
	seal := sealOf(body)
	return append(append(body, seal[:]...), '\n')
}

// sealOf is the end of the line that begins with body.
func sealOf(body []byte) (seal [crcBytes]byte) {
	sum := binary.BigEndian.AppendUint32(nil, crc32.Checksum(body, format.Castagnoli()))
	copy(seal[:], crcKey)
	hex.Encode(seal[len(crcKey):], sum)
	copy(seal[crcBytes-2:], `"}`)
	return seal
}

func decodeLine(line []byte) (machine.Event, error) {
	var e machine.Event
	err := json.Unmarshal(line, &e)
	return e, err
}

// journal is the open journal of a session that this process holds.
type journal struct {
	path string
	disk storage.Disk
	file storage.File
	end  int64 // where the next line goes

	since   []byte // what was appended since Mark; nil without one
	foreign bool   // somebody else wrote to it since Mark, and the next line went over that
}

func openJournal(disk storage.Disk, path string, end int64) (*journal, error) {
	file, err := disk.OpenFile(path, os.O_RDWR|os.O_CREATE, plainfile.PrivateFile)
	if err != nil {
		return nil, fmt.Errorf("opening the journal: %w", err)
	}
	return &journal{path: path, disk: disk, file: file, end: end}, nil
}

// cut removes what lies behind the last good line and waits until the disk has the rest.
func (j *journal) cut() error {
	info, err := j.disk.Lstat(j.path)
	if err == nil && info.Size() == j.end {
		return j.sync() // cutting nothing would still make the disk write, for the time of the change
	}
	if err := j.file.Truncate(j.end); err != nil {
		return fmt.Errorf("cutting the journal: %w", err)
	}
	return j.sync()
}

// sync waits until the disk has the journal. A failed sync is never tried again: the kernel may have dropped the pages,
// and a second call would then succeed without them.
func (j *journal) sync() error {
	if err := j.file.Sync(); err != nil {
		return &JournalError{Path: j.path, Err: err}
	}
	return nil
}

// append writes a line and waits until the disk has it. After any other error than a *JournalError the journal is as
// it was.
func (j *journal) append(line []byte) error {
	if j.since != nil {
		info, err := j.disk.Lstat(j.path)
		j.foreign = j.foreign || err != nil || info.Size() != j.end
	}
	n, err := j.file.WriteAt(line, j.end)
	if err == nil && n < len(line) {
		err = io.ErrShortWrite
	}
	if err != nil {
		// Without this a shorter good line over a torn one would leave the torn one's end behind it.
		if cut := j.file.Truncate(j.end); cut != nil {
			return &JournalError{Path: j.path, Err: errors.Join(err, cut)}
		}
		return fmt.Errorf("writing the journal: %w: check the disk, then run the same command to resume", err)
	}
	if err := j.sync(); err != nil {
		return err
	}
	j.end += int64(len(line))
	if j.since != nil {
		j.since = append(j.since, line...)
	}
	return nil
}
