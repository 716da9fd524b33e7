package command

import (
	"bytes"
	"fmt"
	"strings"

	"autopilot/personas"
)

const (
	// maxLine is how much of a line of output people are told, in bytes.
	maxLine = 400
	// maxHeard is how much of a line is read for a step, in bytes.
	maxHeard = 4000
	// maxTold is how many lines of a run people are told; the log has all of them.
	maxTold = 1000
)

// teller tells people the output of a dispatch, line by line, and hears the steps that it reports.
type teller struct {
	d    personas.Dispatch
	line []byte
	told int
}

func (t *teller) Write(p []byte) (int, error) {
	n := len(p)
	for {
		line, rest, whole := bytes.Cut(p, []byte("\n"))
		t.line = append(t.line, line[:min(len(line), maxHeard-min(len(t.line), maxHeard))]...)
		if !whole {
			return n, nil
		}
		t.say()
		p = rest
	}
}

// finish takes up a last line without an end.
func (t *teller) finish() { t.say() }

func (t *teller) say() {
	text := strings.TrimSpace(strings.ToValidUTF8(string(t.line), ""))
	if t.line = t.line[:0]; text == "" {
		return
	}
	t.d.Steps(text)
	if t.d.OnLine != nil {
		t.d.OnLine(strings.ToValidUTF8(text[:min(len(text), maxLine)], ""))
	}
	if t.told == maxTold || t.d.OnEvent == nil {
		return
	}
	t.d.OnEvent("text", strings.ToValidUTF8(text[:min(len(text), maxLine)], ""))
	if t.told++; t.told == maxTold {
		t.d.OnEvent("notice", fmt.Sprintf("only the first %d lines of the output are shown; output.log has all of it", maxTold))
	}
}
