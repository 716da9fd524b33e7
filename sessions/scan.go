package sessions

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"autopilot/sessions/storage"
)

// scanned is what a pass over a journal found.
type scanned struct {
	last int64 // revision of the last good line, 0 when there is none
	end  int64 // offset behind it
	torn int64 // bytes behind end: a last line that a crash cut off
}

// visitor is called for each good line, which it must not keep.
type visitor func(rev, offset int64, line []byte) error

// scanFile goes over a journal, or (tail) over as much of its end as reaches back to the event after rev.
func scanFile(disk storage.Disk, path string, rev int64, tail bool, visit visitor) (found scanned, err error) {
	file, err := disk.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	base, room := int64(0), scanBuffer
	if tail && rev > 0 {
		if base, err = tailStart(disk, file, path, rev); err != nil {
			return found, err
		}
		room = 2 * tailChunk
	}
	return scan(path, newLineReader(file, base, room), base, visit)
}

// scan goes over the lines of a journal, or of its tail beginning at offset base. A bad last line is torn; anything
// else that is wrong, and a gap or a doubled line, is an *UnreadableError.
func scan(path string, r *lineReader, base int64, visit visitor) (scanned, error) {
	found := scanned{end: base}
	for {
		line, err := r.next()
		if err != nil || len(line) == 0 {
			return found, err
		}
		body, whole := line, line[len(line)-1] == '\n'
		if whole {
			body = line[:len(line)-1]
		}
		rev, why := lineRev(body)
		if !whole || (why != "" && r.atEnd()) {
			// One write is one line: two damaged ones are no crash, even where the newline between them is gone.
			if bytes.Contains(line[1:], []byte(revKey)) {
				return found, &UnreadableError{Path: path, Offset: found.end, Why: "more than the last entry is damaged"}
			}
			found.torn = int64(len(line))
			return found, nil
		}
		if why == "" && (found.last > 0 || base == 0) && rev != found.last+1 {
			why = fmt.Sprintf("revision %d follows revision %d", rev, found.last)
		}
		if why != "" {
			return found, &UnreadableError{Path: path, Offset: found.end, Why: why}
		}
		if err := visit(rev, found.end, body); err != nil {
			return found, err
		}
		found.last, found.end = rev, found.end+int64(len(line))
	}
}

// lineRev checks a line without its newline and returns the revision that it leads to. It does not decode the event:
// most lines of a long journal are older than the snapshot and nobody needs them.
func lineRev(line []byte) (rev int64, why string) {
	if len(line) < len(revKey) || string(line[:len(revKey)]) != revKey {
		return 0, "it does not begin with a revision"
	}
	end := len(line) - crcBytes
	if end < len(revKey) || string(line[end:end+len(crcKey)]) != crcKey {
		return 0, "it has no checksum"
	}
	if seal := sealOf(line[:end]); !bytes.Equal(seal[:], line[end:]) {
		return 0, "its checksum does not match"
	}
	rev, ok := leadingRev(line[len(revKey):end])
	if !ok {
		return 0, "its revision is no number"
	}
	return rev, ""
}

// leadingRev is the number up to the first comma.
func leadingRev(text []byte) (rev int64, ok bool) {
	digits, _, _ := bytes.Cut(text, []byte{','})
	rev, err := strconv.ParseInt(string(digits), 10, 64)
	return rev, err == nil
}

// tailChunk is what a reader takes of a journal at first: more than a snapshot usually lags behind.
const tailChunk = 16 << 10

// tailStart is the offset of a line near the end of a journal that is not newer than the event after rev.
func tailStart(disk storage.Disk, file storage.File, path string, rev int64) (int64, error) {
	info, err := disk.Lstat(path)
	if err != nil {
		return 0, err
	}
	for chunk := int64(tailChunk); chunk < info.Size(); chunk *= 4 {
		data := make([]byte, chunk)
		base := info.Size() - chunk
		n, err := file.ReadAt(data, base)
		if err != nil && !errors.Is(err, io.EOF) { // the writer may have cut a torn line meanwhile
			return 0, err
		}
		_, rest, _ := bytes.Cut(data[:n], []byte{'\n'})
		line, _, whole := bytes.Cut(rest, []byte{'\n'})
		if first, why := lineRev(line); whole && why == "" && first <= rev+1 {
			return base + int64(n-len(rest)), nil
		}
	}
	return 0, nil
}
