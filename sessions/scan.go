package sessions

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/bits"
	"os"
	"strconv"
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
func scanFile(disk Disk, path string, rev int64, tail bool, visit visitor) (found scanned, err error) {
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
	if !seals(line[end:], crc32.Checksum(line[:end], castagnoli())) {
		return 0, "its checksum does not match"
	}
	rev, ok := leadingRev(line[len(revKey):end])
	if !ok {
		return 0, "its revision is no number"
	}
	return rev, ""
}

// seals says whether the end of a line has this checksum, as sealOf writes it.
func seals(seal []byte, sum uint32) bool {
	digits := seal[len(crcKey):]
	return binary.LittleEndian.Uint64(digits) == hexDigits(sum) && string(digits[8:]) == `"}`
}

// hexDigits are the eight digits of a number, the first of them in the lowest byte: all at once, as each line has them.
func hexDigits(sum uint32) uint64 {
	x := uint64(bits.ReverseBytes32(sum))
	x = (x | x<<16) & 0x0000ffff_0000ffff
	x = (x | x<<8) & 0x00ff00ff_00ff00ff
	x = (x>>4 | x<<8) & 0x0f0f0f0f_0f0f0f0f // a half of a byte in each
	letters := (x + 0x06060606_06060606) >> 4 & 0x01010101_01010101
	return x + 0x30303030_30303030 + letters*('a'-10-'0')
}

// leadingRev is the number up to the first comma.
func leadingRev(text []byte) (rev int64, ok bool) {
	for i, c := range text {
		if c == ',' && i > 0 {
			return rev, true
		}
		if c < '0' || c > '9' || i > 17 { // a larger one may be too large
			break
		}
		rev = 10*rev + int64(c-'0')
	}
	digits, _, _ := bytes.Cut(text, []byte{','})
	rev, err := strconv.ParseInt(string(digits), 10, 64)
	return rev, err == nil
}

// tailChunk is what a reader takes of a journal at first: more than a snapshot usually lags behind.
const tailChunk = 16 << 10

// tailStart is the offset of a line near the end of a journal that is not newer than the event after rev.
func tailStart(disk Disk, file File, path string, rev int64) (int64, error) {
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
