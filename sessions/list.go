package sessions

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/words"
	"autopilot/sessions/storage"
)

// Summary is a session in a list. Err says why its state cannot be read; then State is empty.
type Summary struct {
	Slug  string
	Dir   string
	State machine.State
	Err   error
}

// List reads all sessions of a .harness folder, by slug. It takes no lock and writes nothing.
func List(harness string, opts Options) ([]Summary, error) {
	root := join(harness, "sessions")
	entries, err := os.ReadDir(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("listing the sessions: %w", err)
	}
	var all []Summary
	for _, entry := range entries {
		s := Summary{Slug: entry.Name(), Dir: join(root, entry.Name())}
		if entry.Type().IsRegular() || entry.Name() == indexName { // which no session is called, whatever lies there
			continue
		}
		if s.State, _, s.Err = Read(s.Dir, opts); !errors.Is(s.Err, ErrNoSession) {
			all = append(all, s)
		}
	}
	return all, nil
}

// Archive moves a session's folder to archive (.harness/archive/sessions) as <slug>-<date>, with -2, -3 … where that
// is taken, and returns where it lies now. It is a *storage.LockedError while another process holds the session.
func Archive(dir, archive string, now func() time.Time) (string, error) {
	if err := plainSession(storage.OSDisk{}, dir); err != nil {
		return "", err
	}
	lock, err := storage.LockTree(join(dir, storage.LockName), now)
	if err != nil {
		return "", err
	}
	defer lock.Close()
	if err := plainfile.MakeFolder(archive); err != nil {
		return "", fmt.Errorf("making the archive: %w", err)
	}
	to, err := storage.FreeName(storage.OSDisk{}, join(archive, filepath.Base(dir)+"-"+now().UTC().Format(time.DateOnly)), "")
	if err != nil {
		return "", fmt.Errorf("archiving the session: %w", err)
	}
	if !storage.RenameWhileOpen {
		_ = lock.Close()
	}
	if err := os.Rename(dir, to); err != nil {
		return "", fmt.Errorf("archiving the session: %w", err)
	}
	for _, folder := range []string{archive, filepath.Dir(dir)} {
		if err := (storage.OSDisk{}).SyncFolder(folder); err != nil {
			return to, fmt.Errorf("archiving the session: %w", err)
		}
	}
	return to, nil
}

// Held says whether a run that is alive has the session in a folder. It takes nothing from it: the lock is asked only where
// its holder is there, and for less than a run wants.
func Held(dir string) bool { return storage.HeldAt(filepath.Join(dir, storage.LockName)) }

// Holder is the run that is alive and has the session in a folder; false where none has.
func Holder(dir string) (*storage.LockedError, bool) {
	return storage.HolderAt(filepath.Join(dir, storage.LockName))
}

const (
	indexName  = "index.md"
	indexBegin = "<!-- autopilot: sessions -->"
	indexEnd   = "<!-- autopilot: end -->"
)

// WriteIndex brings sessions/index.md of a .harness folder up to date: one line a session, made again from their states.
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

func inCell(text string) string { return strings.ReplaceAll(words.OneLine(text), "|", `\|`) }

// withIndex puts the list between the marks of a text; one without them gets it at its end.
func withIndex(text, list string) string {
	before, rest, _ := strings.Cut(text, indexBegin)
	if _, after, ok := strings.Cut(rest, indexEnd); ok {
		return before + list + after
	}
	switch {
	case text == "":
		text = "# Sessions\n\n"
	case !strings.HasSuffix(text, "\n"):
		text += "\n\n"
	}
	return text + list + "\n"
}
