package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"autopilot/autopilot/plainfile"
	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

// record keeps what was said: output.log for people, transcript.jsonl for
// programs, and in audit.jsonl a line for each tool call. The first failed write is kept in err, and ends the dispatch at its
// conclusion: work without a record could not be explained later.
type record struct {
	log, transcript *os.File
	calls           *os.File
	mask            *personas.Mask
	onEvent         func(kind, text string)
	steps           func(text string)
	now             func() time.Time
	turn            int
	err             error
}

func openRecord(d personas.Dispatch, o Options) (*record, error) {
	r := &record{mask: personas.NewMask(o.Environ, o.Secrets...), onEvent: d.OnEvent, steps: d.Steps, now: o.Now}
	if d.AttemptDir == "" {
		return r, nil
	}
	if err := plainfile.MakeFolder(d.AttemptDir); err != nil {
		return nil, fmt.Errorf("making the folder of the attempt: %w", err)
	}
	for name, file := range map[string]**os.File{"output.log": &r.log, "transcript.jsonl": &r.transcript, "audit.jsonl": &r.calls} {
		f, err := os.OpenFile(filepath.Join(d.AttemptDir, name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, plainfile.PrivateFile)
		if err != nil {
			r.close()
			return nil, fmt.Errorf("opening the record of the attempt: %w", err)
		}
		*file = f
	}
	return r, nil
}

func (r *record) close() {
	for _, f := range []*os.File{r.log, r.transcript, r.calls} {
		if f != nil {
			r.note(f.Close())
		}
	}
}

func (r *record) note(err error) { r.err = errors.Join(r.err, err) }

// entry is a line of transcript.jsonl.
type entry struct {
	Time    string            `json:"time,omitempty"`
	Turn    int               `json:"turn"`
	Message *personas.Message `json:"message,omitempty"`
	Usage   *personas.Usage   `json:"usage,omitempty"`
	Notice  string            `json:"notice,omitempty"`
}

func (r *record) message(m personas.Message) {
	m.Content = r.mask.Replace(m.Content)
	calls := make([]personas.Call, len(m.Calls))
	for i, call := range m.Calls {
		call.Name, call.Arguments = r.mask.Replace(call.Name), r.mask.Replace(call.Arguments)
		calls[i] = call
	}
	m.Calls = calls
	r.entry(entry{Message: &m})
	switch m.Role {
	case personas.RoleAssistant:
		r.assistant(m)
	case personas.RoleTool:
		r.line("<- " + m.Content)
		r.event("result", toolbox.FirstLine(m.Content))
	case personas.RoleUser:
		r.line("== " + m.Role + "\n" + m.Content)
	}
}

func (r *record) assistant(m personas.Message) {
	r.line(fmt.Sprintf("== turn %d", r.turn))
	if m.Content != "" {
		r.line(m.Content)
		r.event("text", m.Content)
	}
	for _, call := range m.Calls {
		text := call.Name + " " + call.Arguments
		r.line("-> " + text)
		r.event("tool", toolbox.Cut(r.mask, toolbox.FirstLine(text), 200))
	}
}

func (r *record) usage(u personas.Usage) { r.entry(entry{Usage: &u}) }

func (r *record) notice(text string) {
	text = r.mask.Replace(text)
	r.entry(entry{Notice: text})
	r.line("!! " + text)
	r.event("notice", text)
}

func (r *record) entry(e entry) {
	if r.transcript == nil {
		return
	}
	e.Turn = r.turn
	if r.now != nil {
		e.Time = r.now().UTC().Format(time.RFC3339)
	}
	line, err := json.Marshal(e)
	r.note(err)
	_, err = r.transcript.Write(append(line, '\n'))
	r.note(err)
}

func (r *record) time() time.Time {
	if r.now == nil {
		return time.Time{}
	}
	return r.now()
}

func (r *record) line(text string) {
	if r.log == nil {
		return
	}
	_, err := io.WriteString(r.log, strings.TrimRight(text, "\n")+"\n")
	r.note(err)
}

func (r *record) event(kind, text string) {
	r.steps(text)
	if r.onEvent != nil {
		r.onEvent(kind, text)
	}
}
