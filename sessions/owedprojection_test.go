package sessions

import (
	"path/filepath"
	"strings"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/sessions/faulty"
	"autopilot/sessions/storage"
)

// oneRename fails the first so many renames to a file of a name.
type oneRename struct {
	storage.OSDisk
	name  string
	fails int
}

func (d *oneRename) Rename(from, to string) error {
	if filepath.Base(to) == d.name && d.fails > 0 {
		d.fails--
		return faulty.ErrFault
	}
	return d.OSDisk.Rename(from, to)
}

func TestAProjectionThatCouldNotBeWrittenIsTriedAgain(t *testing.T) {
	const name = "phase-1-tasks.json"
	moved := func(s *Session) error {
		later := s.State()
		later.CurrentPhase++
		return s.Project(later)
	}
	for what, again := range map[string]func(*Session) error{"Project": moved, "Close": (*Session).Close} {
		t.Run(what, func(t *testing.T) {
			dir := sessionDir(t)
			s, err := Create(dir, first(), on(&oneRename{name: name, fails: 1}))
			if err != nil {
				t.Fatal(err)
			}
			state := s.State()
			state.Tasks = []machine.Task{{ID: "task-001", Status: machine.TaskCompleted}}
			if err := s.Project(state); err == nil {
				t.Fatal("it was written at once")
			}
			if err := again(s); err != nil {
				t.Errorf("told twice: %v", err)
			}
			if text := read(t, dir, name); !strings.Contains(text, "task-001") {
				t.Errorf("the file of the phase holds %q", text)
			}
			_ = s.Close()
		})
	}
}

func TestAProjectionThatIsTrueAgainIsOwedNoLonger(t *testing.T) {
	const name = "phase-1-tasks.json"
	disk := &oneRename{name: name}
	dir := sessionDir(t)
	s, err := Create(dir, first(), on(disk))
	if err != nil {
		t.Fatal(err)
	}
	with := func(status string) machine.State {
		state := s.State()
		state.Tasks = []machine.Task{{ID: "task-001", Status: status}}
		return state
	}
	if err := s.Project(with(machine.TaskPending)); err != nil {
		t.Fatal(err)
	}
	want := read(t, dir, name)
	disk.fails = 2 // the second is that of the next call
	_ = s.Project(with(machine.TaskRunning))
	_ = s.Project(with(machine.TaskPending))
	if err := s.Close(); err != nil || read(t, dir, name) != want {
		t.Errorf("error %v; the file holds %s", err, read(t, dir, name))
	}
}
