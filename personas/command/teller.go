package command

import (
	"bytes"
	"fmt"
	"strings"
)

const (
	// maxLine is how much of a line of output people are told, in bytes.
	maxLine = 400
	// maxTold is how many lines of a run people are told; the log has all of them.
	maxTold = 1000
)

// teller tells people the output, line by line.
type teller struct {
	tell func(kind, text string)
	line []byte
	told int
}

func (t *teller) Write(p []byte) (int, error) {
	n := len(p)
	for t.told < maxTold {
		line, rest, whole := bytes.Cut(p, []byte("\n"))
		t.line = append(t.line, line[:min(len(line), maxLine-min(len(t.line), maxLine))]...)
		if !whole {
			break
		}
		t.say()
		p = rest
	}
	return n, nil
}

func (t *teller) say() {
	text := strings.TrimSpace(strings.ToValidUTF8(string(t.line), ""))
	t.line = t.line[:0]
	if text == "" {
		return
	}
	t.tell("text", text)
	if t.told++; t.told == maxTold {
		t.tell("notice", fmt.Sprintf("only the first %d lines of the output are shown; output.log has all of it", maxTold))
	}
}
