package sessions

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"autopilot/autopilot/machine"
	"autopilot/sessions/format"
	"autopilot/sessions/storage"
)

// Project writes what other tools read of a state: the task file of its phase, and state.json in the older
// task-level shape. What did not change since the last call, but for the time, is not written again. They follow the
// snapshot and are never read back, so they are not synced. One that could not be written is tried again with the next call
// and in Close: the session may have moved on to another file by then.
func (s *Session) Project(state machine.State) error { return s.shown.projectState(state) }

// projections are the files of a folder that follow the state for other tools.
type projections struct {
	dir     string
	disk    storage.Disk
	written map[string][]byte     // what told of a change when they were last written
	owed    map[string]projection // could not be written
}

// drawOwed writes the projections that are owed, as far as it can: that they could not be written was said then.
func (p *projections) drawOwed() {
	for name, file := range p.owed {
		_ = p.draw(name, file)
	}
}

func (p *projections) projectState(state machine.State) error {
	p.drawOwed()
	var wrong error
	if len(state.Tasks) > 0 {
		dated := TaskFileOf(state)
		undated := dated
		undated.LastSession = nil
		wrong = p.project(TasksName(state), undated, dated)
	}
	shown := HarnessStateOf(state)
	return errors.Join(wrong, p.project("state.json", shown, shown))
}

// projection is a file as it is to be, and what tells of a change of it.
type projection struct{ told, data []byte }

// project writes v, if what tells of a change is another than the last time.
func (p *projections) project(name string, tells, v any) error {
	told, err := format.Compact(tells)
	if err == nil && bytes.Equal(told, p.written[name]) {
		delete(p.owed, name) // what the file shows is true again
		return nil
	}
	data, wrong := indented(v)
	if err := errors.Join(err, wrong); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return p.draw(name, projection{told, data})
}

// draw writes a projection, or keeps it as owed.
func (p *projections) draw(name string, file projection) error {
	if err := replaced(p.disk, join(p.dir, name), file.data, false); err != nil {
		p.owed[name] = file
		return err
	}
	p.written[name] = file.told
	delete(p.owed, name)
	return nil
}

// replaced writes a file anew; a link in its place is refused.
func replaced(disk storage.Disk, path string, data []byte, durable bool) error {
	if err := storage.Plain(disk, path); err != nil {
		return err
	}
	if err := storage.ReplaceFile(disk, path, data, durable); err != nil {
		return fmt.Errorf("writing %s: %w", filepath.Base(path), err)
	}
	return nil
}

// indented is JSON for people, with <, > and & as they are.
func indented(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.Bytes(), err
}
