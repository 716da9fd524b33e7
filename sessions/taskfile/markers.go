package taskfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"autopilot/sessions/storage"
)

// The names of the markers in the root folder.
const (
	ActiveName  = ".harness-active"       // the hooks keep agents at work while it is there
	ReflectName = ".harness-reflect"      // the work is done, and an agent is to look back at it
	CounterName = ".harness-stop-counter" // "blocks,completed": how often an agent was kept from stopping, and at what count
)

// Active says whether the list is being worked at.
func (s *Store) Active() bool { return s.marked(ActiveName) }

// Activate marks the list as being worked at.
func (s *Store) Activate() error { return s.mark(ActiveName, "") }

// Finish marks the work as done: it is not active any more, and to be looked back at. A list that is not active has
// nothing to look back at.
func (s *Store) Finish() error {
	if !s.Active() {
		return nil
	}
	if err := s.mark(ReflectName, ""); err != nil {
		return err
	}
	return errors.Join(s.unmark(ActiveName), s.ResetCounter())
}

// Reflecting says whether an agent is to look back at what was done.
func (s *Store) Reflecting() bool { return s.marked(ReflectName) }

// EndReflection takes that mark away.
func (s *Store) EndReflection() error { return s.unmark(ReflectName) }

// Counter is how often an agent was kept from stopping since so many tasks were completed; 0, 0 where nothing readable
// says so.
func (s *Store) Counter() (blocks, completed int) {
	path := filepath.Join(s.Root, CounterName)
	if storage.Plain(storage.OSDisk{}, path) != nil {
		return 0, 0
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, 0
	}
	a, b, _ := strings.Cut(strings.TrimSpace(string(text)), ",")
	blocks, errA := strconv.Atoi(strings.TrimSpace(a))
	completed, errB := strconv.Atoi(strings.TrimSpace(b))
	if errA != nil || errB != nil || blocks < 0 || completed < 0 {
		return 0, 0
	}
	return blocks, completed
}

// SetCounter keeps the counter.
func (s *Store) SetCounter(blocks, completed int) error {
	return s.mark(CounterName, fmt.Sprintf("%d,%d", blocks, completed))
}

// ResetCounter takes the counter away.
func (s *Store) ResetCounter() error { return s.unmark(CounterName) }

func (s *Store) marked(name string) bool {
	info, err := os.Stat(filepath.Join(s.Root, name))
	return err == nil && info.Mode().IsRegular()
}

func (s *Store) mark(name, text string) error {
	path := filepath.Join(s.Root, name)
	if err := storage.Plain(storage.OSDisk{}, path); err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}

func (s *Store) unmark(name string) error {
	if err := os.Remove(filepath.Join(s.Root, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing %s: %w", name, err)
	}
	return nil
}
