package sessions

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/sessions/storage"
)

const (
	indexName  = "index.md"
	indexBegin = "<!-- autopilot: sessions -->"
	indexEnd   = "<!-- autopilot: end -->"
)

// WriteIndex brings sessions/index.md of a .harness folder up to date: one line a session, made anew from their states.
// The list stands between two marks; what a person writes around them stays.
func WriteIndex(harness string, opts Options) error {
	opts = opts.withDefaults()
	all, err := List(harness, opts)
	if err != nil {
		return err
	}
	path := join(harness, "sessions", indexName)
	if err := storage.Plain(opts.Disk, path); err != nil {
		return err
	}
	old, err := opts.Disk.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("reading the index of sessions: %w", err)
	}
	text := withIndex(string(old), indexOf(all))
	if text == string(old) {
		return nil
	}
	if err := storage.ReplaceFile(opts.Disk, path, []byte(text), false); err != nil {
		return fmt.Errorf("writing the index of sessions: %w", err)
	}
	return nil
}

func indexOf(all []Summary) string {
	var b strings.Builder
	b.WriteString(indexBegin + "\n| Session | Spec | State | Last active |\n|---|---|---|---|\n")
	for _, s := range all {
		state, active := place(s.State), s.State.UpdatedAt.UTC().Format("2006-01-02 15:04")
		if s.Err != nil {
			state, active = "cannot be read", "-"
		}
		fmt.Fprintf(&b, "| [%s](%s/summary.md) | %s | %s | %s |\n", inCell(s.Slug), inCell(s.Slug), inCell(s.State.SpecPath), inCell(state), active)
	}
	return b.String() + indexEnd
}

// place is where a session stands, in few words: "EXECUTE, phase 2a, 2 of 3".
func place(s machine.State) string {
	if s.CurrentPhase < 0 || s.CurrentPhase >= len(s.Phases) || s.CurrentState == machine.Done || s.CurrentState == machine.FinalReview {
		return string(s.CurrentState)
	}
	return fmt.Sprintf("%s, phase %s, %d of %d", s.CurrentState, s.Phases[s.CurrentPhase].Number, s.CurrentPhase+1, len(s.Phases))
}

func inCell(text string) string { return strings.ReplaceAll(storage.Fold(text), "|", `\|`) }

// withIndex puts the list between the marks of a text; one without them gets it at its end.
func withIndex(text, list string) string {
	from := strings.Index(text, indexBegin)
	if from >= 0 {
		if n := strings.Index(text[from:], indexEnd); n >= 0 {
			return text[:from] + list + text[from+n+len(indexEnd):]
		}
	}
	switch {
	case text == "":
		text = "# Sessions\n\n"
	case !strings.HasSuffix(text, "\n"):
		text += "\n\n"
	}
	return text + list + "\n"
}
