package evidence

import (
	"bytes"
	"io"
	"os"

	"autopilot/autopilot/machine"
)

// maxReadBack is how much is read back of an output, of its beginning and of its end, in bytes: more than any prompt shows,
// so that what looks like a secret is seen whole before it is shortened.
const maxReadBack = 128 << 10

// cutMark stands where something was left out.
const cutMark = "\n[… cut …]\n"

// ReadBack is the text of a file of outputs, of a long one the beginning and the end.
func ReadBack(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	return readEnds(file, 0, info.Size())
}

// readEnds reads a part of a file, of a long one the beginning and the end.
func readEnds(file io.ReaderAt, from, to int64) (string, error) {
	if to-from <= 2*maxReadBack {
		return readPart(file, from, to)
	}
	begin, err := readPart(file, from, from+maxReadBack)
	if err != nil {
		return "", err
	}
	end, err := readPart(file, to-maxReadBack, to)
	return begin + cutMark + end, err
}

func readPart(file io.ReaderAt, from, to int64) (string, error) {
	text, err := io.ReadAll(io.NewSectionReader(file, from, to-from))
	return string(text), err
}

// OutputsOf reads what each command printed, in turn, out of the file that took the output of all; one whose beginning is
// not there is left out.
func OutputsOf(path string, checks []machine.Check) map[int]string {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	found, at := map[int]string{}, int64(0)
	for i, c := range checks {
		_, begin := findOutput(file, at, c.Command)
		if begin < 0 {
			continue
		}
		at = begin
		end := int64(-1)
		if i+1 < len(checks) {
			end, _ = findOutput(file, at, checks[i+1].Command)
		}
		if end < 0 {
			if end, err = file.Seek(0, io.SeekEnd); err != nil {
				return found
			}
		}
		if found[i], err = readEnds(file, begin, end); err != nil {
			delete(found, i)
		}
	}
	return found
}

// findOutput is where the line stands by which a command's output begins, and where that line has ended; -1: there is none.
// It is looked for from the beginning of a line on.
func findOutput(file io.ReaderAt, from int64, command string) (line, output int64) {
	mark := []byte("\n$ " + command + "\n")
	held := []byte("\n") // what stands before the place
	chunk := make([]byte, maxReadBack)
	for at := from; ; {
		n, err := file.ReadAt(chunk, at)
		held = append(held, chunk[:n]...)
		at += int64(n)
		if i := bytes.Index(held, mark); i >= 0 {
			line = at - int64(len(held)-i) + 1
			return line, line + int64(len(mark)) - 1
		}
		if err != nil {
			return -1, -1
		}
		held = append(held[:0], held[max(0, len(held)-len(mark)):]...)
	}
}
