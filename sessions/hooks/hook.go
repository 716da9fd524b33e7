package hooks

import (
	"cmp"
	"context"
	"io"
	"strings"
	"time"

	"autopilot/sessions/taskfile"
)

// Hook is a hook by its name on the command line.
type Hook struct{ Name, Short string }

// All lists the hooks.
var All = []Hook{
	{"stop", "Keep an agent working while its list has tasks left (Stop)"},
	{"sessionstart", "Show an agent the progress of the list (SessionStart)"},
	{"teammateidle", "Keep a teammate working while it has a task or can take one (TeammateIdle)"},
	{"subagentstop", "Keep a subagent working while its task is in progress (SubagentStop)"},
	{"self-reflect-stop", "Have an agent review its work when the list is done (Stop)"},
	{"claim", "Claim the next task, and print it as JSON"},
	{"renew", "Renew the lease of a claimed task, and print it as JSON"},
}

// Store is what the hooks need of a task file and the files beside it.
type Store interface {
	Read() (taskfile.TaskList, error)
	Update(ctx context.Context, change func(*taskfile.TaskList) error) error
	Tail(maxBytes int) string // the end of harness-progress.txt
	Repaired() string         // what was wrong with the file that was read, for people; "" is nothing
	Active() bool             // .harness-active is there
	Finish() error            // .harness-active goes, .harness-reflect comes
	Reflecting() bool         // .harness-reflect is there
	EndReflection() error     // .harness-reflect goes
	Counter() (blocks, completed int)
	SetCounter(blocks, completed int) error
	ResetCounter() error
}

// Hooks answers hooks.
type Hooks struct {
	Getenv  func(string) string
	Find    func(dir string) (root string, ok bool) // the folder of the task file that a folder belongs to
	Open    func(root string) Store
	Dir     string                           // the working folder, where the input names none
	Temp    string                           // the folder for temporary files
	Process string                           // the worker's name where it has no other
	Base    func(ctx context.Context) string // the commit that a claimed task starts at, or ""; may be nil
	Now     func() time.Time
}

// How much of the end of the log is read, in bytes: for the tasks of a session, and for its last line.
const (
	logOfSession = 200_000
	logOfStart   = 8192
)

// Run answers the hook of a name with what stands on its standard input. Inside a session of autopilot, which keeps its
// agents to their task itself, every hook is silent.
func (h *Hooks) Run(ctx context.Context, name string, stdin io.Reader) Answer {
	if h.Getenv("AUTOPILOT_SESSION_DIR") != "" {
		return Answer{}
	}
	in := ReadInput(stdin)
	root, ok := h.Find(cmp.Or(in.Cwd, h.Dir))
	switch {
	case name == "claim":
		return h.claim(ctx, root)
	case name == "renew":
		return h.renew(ctx, in, root)
	case !ok:
		return Answer{}
	}
	s := h.Open(root)
	if name == "self-reflect-stop" {
		return h.reflect(ctx, in, s)
	}
	if !s.Active() {
		return Answer{}
	}
	a := h.decide(name, in, s)
	if remark := s.Repaired(); remark != "" {
		a.Err = "HARNESS: WARN: " + remark + "\n" + a.Err
	}
	return a
}

// decide answers the hooks that .harness-active gates.
func (h *Hooks) decide(name string, in Input, s Store) Answer {
	list, err := s.Read()
	switch name {
	case "stop":
		if err != nil {
			return StopUnreadable(in, err)
		}
		at := Stand{Worker: h.worker(), Now: h.Now(), Ended: Ended(s.Tail(logOfSession), list.SessionCount)}
		at.Count.Blocks, at.Count.Completed = s.Counter()
		return settle(Stop(in, list, at), in, s)
	case "sessionstart":
		if err != nil {
			return SessionStartUnreadable(err)
		}
		return SessionStart(list, s.Tail(logOfStart), h.Now())
	case "teammateidle":
		if err == nil {
			return TeammateIdle(in, list, h.worker(), h.Now())
		}
	case "subagentstop":
		if err == nil {
			return SubagentStop(in, list, h.worker(), h.Now())
		}
	}
	return Answer{}
}

// settle does what an answer of the stop hook changes. A count that cannot be kept would let the hook block for ever, so
// that then an agent may stop the second time.
func settle(a Answer, in Input, s Store) Answer {
	if a.Do.Reset {
		_ = s.ResetCounter() // a counter that stays is too high at worst
	}
	if a.Do.Finish {
		_ = s.Finish() // the next stop tries again
	}
	if a.Do.Count == nil {
		return a
	}
	if err := s.SetCounter(a.Do.Count.Blocks, a.Do.Count.Completed); err != nil && in.Again {
		return Answer{Err: "HARNESS: WARN: .harness-stop-counter cannot be written (" + short(err.Error()) +
			"), so the agent may stop now.\n"}
	}
	return a
}

func (h *Hooks) worker() string { return strings.TrimSpace(h.Getenv("HARNESS_WORKER_ID")) }
