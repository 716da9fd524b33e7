package storage

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// LockedError says that another process holds the session or the working tree. PID is 0 when the holder could not be
// read.
type LockedError struct {
	Path     string
	PID      int
	Host     string
	Terminal string // such as /dev/pts/3; "": none, or not known
	Spec     string // that it works on; "": not known
	Since    time.Time
	At       time.Time // when it was found held

	started string
}

func (e *LockedError) Error() string {
	what, then := "another run holds "+e.Path, "Wait until it ends, or stop it"
	if e.Spec != "" {
		what, then = "another run works on "+e.Spec, "autopilot watch "+e.Spec
	}
	if e.PID != 0 {
		what += fmt.Sprintf(" since %s (pid %d on %s%s)", e.since(), e.PID, e.Host, e.inTerminal())
	}
	return what + "\n  " + then
}

// since is a time of day, with the day where that is another.
func (e *LockedError) since() string {
	since, at := e.Since.Local(), e.At.Local()
	if since.Format(time.DateOnly) == at.Format(time.DateOnly) {
		return since.Format("15:04")
	}
	return since.Format("2006-01-02 15:04")
}

func (e *LockedError) inTerminal() string {
	if e.Terminal == "" {
		return ""
	}
	return ", in terminal " + e.Terminal
}

// Interrupt asks the holder to stop, as Ctrl-C does. It is an error where the process of that id is not known to be the one
// that took the lock.
func (e *LockedError) Interrupt() error {
	host, err := os.Hostname()
	if err != nil || host != e.Host {
		return fmt.Errorf("it runs on another machine, %s", e.Host)
	}
	p, err := os.FindProcess(e.PID) // where the system can, it stays this process from here on
	if err != nil {
		return err
	}
	defer func() { _ = p.Release() }()
	if e.started == "" || started(e.PID) != e.started {
		return fmt.Errorf("process %d is not known to be the run", e.PID)
	}
	return p.Signal(os.Interrupt)
}

// holder is what the lock file says.
type holder struct {
	PID      int       `json:"pid"`
	Host     string    `json:"host"`
	Since    time.Time `json:"since"`
	Started  string    `json:"started,omitempty"`  // when the process was, as its system tells it
	Terminal string    `json:"terminal,omitempty"` // for people
	Spec     string    `json:"spec,omitempty"`     // for people
}

func self(now time.Time) holder {
	host, _ := os.Hostname() // for people only: an unknown name is no reason to stop
	return holder{PID: os.Getpid(), Host: host, Since: now.UTC().Round(0), Started: started(os.Getpid()), Terminal: terminal()}
}

// For writes into the lock which spec its holder works on.
func (l *Lock) For(spec string) error {
	l.told.Spec = spec
	return l.introduce()
}

// introduce writes who holds the lock.
func (l *Lock) introduce() error {
	text, err := json.Marshal(l.told)
	if err != nil {
		return err
	}
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	_, err = l.file.WriteAt(append(text, '\n'), 0)
	return err
}

func lockedBy(f *os.File, path string) *LockedError {
	text := make([]byte, 4096)
	n, _ := f.ReadAt(text, 0)
	var h holder
	_ = json.Unmarshal(text[:n], &h) // half-written by the holder: then nothing is known of it
	return &LockedError{Path: path, PID: h.PID, Host: h.Host, Since: h.Since, Terminal: h.Terminal, Spec: h.Spec, started: h.Started}
}
