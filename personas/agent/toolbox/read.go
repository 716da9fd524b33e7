package toolbox

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"autopilot/personas"
)

const (
	maxReadBytes = 60_000     // of one read_file result
	maxReadLines = 2_000      // of one read_file result
	MaxLine      = 2_000      // bytes of a line that are shown
	maxFile      = 50_000_000 // larger files are refused
	sniffed      = 8_000      // bytes that are looked at to tell a binary file
)

type readArgs struct {
	Path string `json:"path"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

func (b *Box) readFile() Tool {
	return define("read_file",
		"Read a text file; from, to: lines.",
		schema("path", "path:string", "from:integer", "to:integer"),
		func(_ context.Context, a readArgs) (string, error) {
			if a.From < 0 || a.To < 0 || (a.To > 0 && a.To < a.From) {
				return "", fmt.Errorf("lines %d to %d are no range; lines count from 1", a.From, a.To)
			}
			f, err := b.tree.open(a.Path)
			if err != nil {
				return "", err
			}
			defer f.Close()
			if info, err := f.Stat(); err == nil && info.Size() > maxFile {
				return "", fmt.Errorf("%s has %d bytes, too many to read; head, tail and grep in a command show parts of it", a.Path, info.Size())
			}
			return lines(b.Mask, f, a)
		})
}

// lines gives the wanted lines, each with its number, and says what is left.
func lines(m *personas.Mask, f io.Reader, a readArgs) (string, error) {
	in := bufio.NewReaderSize(f, 64<<10)
	if start, _ := in.Peek(sniffed); bytes.IndexByte(start, 0) >= 0 {
		return "", fmt.Errorf("%s is a binary file", a.Path)
	}
	first := max(a.From, 1)
	var out strings.Builder
	n := 0
	for {
		line, err := in.ReadString('\n')
		if line != "" {
			n++
			switch {
			case n < first:
			case (a.To > 0 && n > a.To) || n >= first+maxReadLines || out.Len() > maxReadBytes:
				fmt.Fprintf(&out, "… more follows; go on with from %d\n", n)
				return out.String(), nil
			default:
				fmt.Fprintf(&out, "%6d\t%s\n", n, Cut(m, strings.TrimRight(line, "\r\n"), MaxLine))
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", fmt.Errorf("reading %s: %w", a.Path, err)
		}
	}
	switch {
	case n == 0:
		return "(the file is empty)", nil
	case n < first:
		return "", fmt.Errorf("%s has only %d lines", a.Path, n)
	}
	return out.String(), nil
}
