package console

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"strings"
	"sync"
	"time"

	"autopilot/autopilot/journal"
)

// plainReport prints a line for each note, with the time of day. It goes to standard error, so that
// standard output stays for answers.
type plainReport struct {
	h              *Host
	quiet, verbose bool
	prompt         *Prompt // where a person is asked on the same terminal
	mu             sync.Mutex
}

// NewPlainReport prints on the host's standard error. prompt is that of the person asked there; nil: nobody is asked.
func NewPlainReport(h *Host, quiet, verbose bool, prompt *Prompt) *plainReport {
	return &plainReport{h: h, quiet: quiet, verbose: verbose, prompt: prompt}
}

// Report prints a note. Quiet leaves warnings and findings; details need verbose.
func (r *plainReport) Report(n journal.Note) {
	if n.Text == "" || (n.Detail && !r.verbose) {
		return
	}
	if r.quiet && n.Event != "warning" && n.Event != "finding" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	// What stands below the first line are commands to copy: they stay whole.
	first, rest, more := strings.Cut(Clean(n.Text), "\n")
	column := strings.Repeat(" ", 12)
	line := Wrapped(fmt.Sprintf("%s    %s", r.h.Now().Format(time.TimeOnly), first), r.h.Columns(), len(column))
	if more {
		line += "\n" + column + strings.ReplaceAll(rest, "\n", "\n"+column)
	}
	if r.prompt != nil {
		r.prompt.End(r.h.Err)
	}
	fmt.Fprintln(r.h.Err, line)
}

// JSONReport prints one object a line on standard output: event, time, session, and what belongs to the event.
type JSONReport struct {
	out     io.Writer
	now     func() time.Time
	session func() string
	mu      sync.Mutex
}

// NewJSONReport prints on the host's standard output; session is asked for a name for each line.
func NewJSONReport(h *Host, session func() string) *JSONReport {
	return &JSONReport{out: h.Out, now: h.Now, session: session}
}

// Report prints a note with its fields.
func (r *JSONReport) Report(n journal.Note) {
	object := map[string]any{"event": n.Event, "time": r.now().UTC().Format(time.RFC3339Nano), "session": r.session()}
	if n.Text != "" {
		object["text"] = n.Text
	}
	maps.Copy(object, n.Fields)
	r.Write(object)
}

func (r *JSONReport) Write(object any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	_ = json.NewEncoder(r.out).Encode(object) // a reader that went away is no reason to stop the run
}
