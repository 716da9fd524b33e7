package sessions

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions/storage"
)

// notePrefix begins the names of notes in the inbox. The time of writing follows, which puts them in order, and a random
// part.
const notePrefix = "note-"

// MaxNote is how long a note can be, in bytes: written as JSON none is larger than a file in the inbox may be.
const MaxNote = maxAnswer/6 - 100

// Note is what a person tells a live run: something for the next dispatch, or why a finding is none.
type Note struct {
	Text    string `json:"note"`
	Finding string `json:"finding,omitempty"` // the id of the one that is dismissed
	By      string `json:"by,omitempty"`
}

// Event is what the note does.
func (n Note) Event() machine.Event {
	if n.Finding != "" {
		return machine.Event{Type: machine.FindingDismissed, Finding: n.Finding, Detail: n.Text, By: n.By}
	}
	return machine.Event{Type: machine.Noted, Detail: n.Text}
}

// PostNote leaves a note with a text of at most MaxNote bytes in the inbox of the session in dir, for the next dispatch of the process
// that holds it.
func PostNote(dir string, note Note, now time.Time) error {
	data, err := json.Marshal(note)
	if err != nil {
		return err
	}
	inbox, err := makeInbox(dir)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%s%019d-%s.json", notePrefix, now.UnixNano(), rand.Text())
	return storage.ReplaceFile(storage.OSDisk{}, join(inbox, name), data, false)
}

// TakeNotes takes the notes out of the inbox, oldest first. take is called for each before its file goes; a note
// that cannot be read is left where it is.
func (s *Session) TakeNotes(take func(machine.Event) error) error {
	dir := join(s.dir, inboxName)
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading the inbox: %w", err)
	}
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), notePrefix) || !entry.Type().IsRegular() {
			continue
		}
		path := join(dir, entry.Name())
		info, err := entry.Info()
		if err != nil || info.Size() > maxAnswer {
			continue
		}
		data, err := os.ReadFile(path)
		var note Note
		if err != nil || json.Unmarshal(data, &note) != nil || strings.TrimSpace(note.Text) == "" {
			continue
		}
		if err := take(note.Event()); err != nil {
			return err
		}
		if err := storage.RemoveIfThere(storage.OSDisk{}, path); err != nil {
			return fmt.Errorf("removing a taken note: %w", err)
		}
	}
	return nil
}
