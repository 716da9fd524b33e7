package manual

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"autopilot/autopilot/plainfile"
	"autopilot/personas"
)

// place is where a person finds a prompt and leaves the reply.
type place struct{ dir string }

// placeOf names the place after the work and not after the attempt: the one
// that waited and the one that takes the reply are two.
func placeOf(d personas.Dispatch) place {
	name := fmt.Sprintf("%s-%d", d.Key.Persona, d.Key.Phase)
	if d.Key.Task != "" {
		name += "-" + d.Key.Task
	}
	return place{filepath.Join(d.SessionDir, "inbox", name)}
}

func (p place) prompt() string     { return filepath.Join(p.dir, promptName) }
func (p place) reply() string      { return filepath.Join(p.dir, replyName) }
func (p place) scratchpad() string { return filepath.Join(p.dir, "scratchpad") }

// offer writes the prompt, and returns it as it was written. The dispatch's own folder ends with the dispatch, so
// that the prompt has to name the place instead, and notes are brought there.
func (p place) offer(d personas.Dispatch) (string, error) {
	if err := plainfile.MakeFolder(p.dir); err != nil {
		return "", err
	}
	if err := p.bringNotes(d); err != nil {
		return "", err
	}
	prompt := strings.ReplaceAll(d.Prompt, d.OutDir, p.dir)
	if rel, err := filepath.Rel(d.Dir, d.OutDir); err == nil {
		prompt = strings.ReplaceAll(prompt, filepath.ToSlash(rel), p.dir)
	}
	return prompt, os.WriteFile(p.prompt(), []byte(prompt), plainfile.PrivateFile)
}

// bringNotes fills the place's scratchpad, unless a person may have written in
// it already.
func (p place) bringNotes(d personas.Dispatch) error {
	if d.ScratchpadDir == "" {
		return nil
	}
	err := os.Mkdir(p.scratchpad(), plainfile.PrivateFolder)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err == nil {
		err = os.CopyFS(p.scratchpad(), os.DirFS(d.ScratchpadDir))
	}
	return err
}

// take keeps the reply with the attempt, hands the notes over, and clears the
// place, so that the next attempt is not taken for done.
func (p place) take(d personas.Dispatch, data []byte) error {
	if d.AttemptDir != "" {
		if err := os.WriteFile(filepath.Join(d.AttemptDir, takenName), data, plainfile.PrivateFile); err != nil {
			return fmt.Errorf("keeping the reply of a person: %w", err)
		}
	}
	if _, err := os.Stat(p.scratchpad()); err == nil && d.ScratchpadDir != "" {
		if err := errors.Join(os.RemoveAll(d.ScratchpadDir), os.CopyFS(d.ScratchpadDir, os.DirFS(p.scratchpad()))); err != nil {
			return fmt.Errorf("taking over the notes of a person: %w", err)
		}
	}
	if err := os.RemoveAll(p.dir); err != nil {
		return fmt.Errorf("clearing %s: %w", p.dir, err)
	}
	return nil
}
