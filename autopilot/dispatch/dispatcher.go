package dispatch

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"time"

	"autopilot/autopilot/halt"
	"autopilot/autopilot/plainfile"
	"autopilot/personas"
)

// Dispatcher prepares attempts of personas in one working tree: of a run, of a lane, of a task list, of a draft.
type Dispatcher struct {
	Root     string         // of the working tree
	Mask     *personas.Mask // takes secrets out of what is sent and written; may be nil
	LockFile *os.File       // handed to the supervisor of child processes; may be nil
	Idle     time.Duration  // without any sign of life; 0: no limit
	Timeout  time.Duration  // of a whole dispatch; 0: no limit
	Turns    int            // model calls; 0: the backend's default
	Tell     func(kind, text string)
}

// Order is an attempt that is to be made.
type Order struct {
	ID       string
	Persona  personas.Persona
	Purpose  personas.Purpose
	Key      personas.Key
	Session  string   // the folder of the session, of the task list, or of the draft
	Attempt  string   // the folder that keeps what is sent and what comes back
	Spec     string   // the session's copy of it; "" has none
	PlanDirs []string // in which a persona that may plan writes
	Notes    bool     // there is a folder for notes that go from dispatch to dispatch
}

// Write tells what is to be sent: the brief of a dispatch, and the variables of its own that an agent program finds.
type Write func(personas.Dispatch) (personas.Brief, map[string]string, error)

// Prepare makes the order for a backend, and keeps its prompt with the attempt. The agent's own folder is made by Open: a
// caller may have to write down the dispatch before.
func (d Dispatcher) Prepare(o Order, write Write) (personas.Dispatch, error) {
	out := filepath.Join(d.Root, ".harness", "out", o.ID)
	p := personas.Dispatch{
		ID: o.ID, Key: o.Key, Purpose: o.Purpose, Persona: o.Persona, Dir: d.Root, OutDir: out, ReplyPath: filepath.Join(out, "reply.json"),
		SpecCopy: o.Spec, PlanDirs: o.PlanDirs, SessionDir: o.Session, AttemptDir: o.Attempt,
		Idle: d.Idle, Timeout: d.Timeout, MaxTurns: d.Turns, LockFile: d.LockFile, OnEvent: d.Tell,
	}
	if o.Notes {
		p.ScratchpadDir = filepath.Join(out, "scratchpad")
	}
	brief, env, err := write(p)
	if err != nil {
		return p, fmt.Errorf("writing the brief: %w", err)
	}
	p.Prompt, p.System, p.Env = personas.Render(o.Persona, brief), personas.System(o.Persona, brief), environment(p, brief.Purpose, env)
	if err := plainfile.WriteJSON(filepath.Join(o.Attempt, "dispatch.json"), p.Key); err != nil {
		return p, err
	}
	return p, plainfile.WriteFile(filepath.Join(o.Attempt, "prompt.md"), []byte(d.Mask.Replace(p.Prompt)), plainfile.PrivateFile)
}

// environment is what an agent program finds in its environment: each variable is there, also where it is empty.
func environment(p personas.Dispatch, purpose personas.Purpose, own map[string]string) map[string]string {
	env := map[string]string{
		"AUTOPILOT_REPLY": p.ReplyPath, "AUTOPILOT_PERSONA": p.Key.Persona, "AUTOPILOT_PURPOSE": string(purpose), "AUTOPILOT_TASK": "", "AUTOPILOT_ATTEMPT": fmt.Sprint(p.Key.Attempt),
		"AUTOPILOT_SESSION_DIR": p.SessionDir, "AUTOPILOT_SPEC": p.SpecCopy, "AUTOPILOT_SCRATCHPAD": p.ScratchpadDir, "AUTOPILOT_RIGOR": "",
		"AUTOPILOT_BASE": "", "AUTOPILOT_PHASE": "", "AUTOPILOT_PHASE_NUMBER": "", "AUTOPILOT_PLAN": "",
	}
	maps.Copy(env, own)
	return env
}

// Open makes the folder that the agent may write to, below the root of the working tree: no link leads an agent elsewhere.
func (d Dispatcher) Open(p personas.Dispatch) error {
	folder := p.OutDir
	if p.ScratchpadDir != "" {
		folder = p.ScratchpadDir
	}
	root, err := os.OpenRoot(d.Root)
	if err != nil {
		return err
	}
	defer root.Close()
	folder = plainfile.Rel(d.Root, folder)
	err = root.MkdirAll(folder, plainfile.PrivateFolder)
	switch {
	case err == nil:
		return nil
	case inTheWay(root, folder):
		return halt.Usage("the folder for what an agent writes cannot be made: %v\nA link, or a file, is in its way: move it away, then run the same command again", err)
	}
	return fmt.Errorf("making the folder for what an agent writes: %w", err)
}

// inTheWay says whether something that is no folder stands where one is wanted, or one above it.
func inTheWay(root *os.Root, folder string) bool {
	for ; folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		if info, err := root.Lstat(folder); err == nil && !info.IsDir() {
			return true
		}
	}
	return false
}

// Keep keeps what came back with its attempt. The prompt of one that waits for a person goes: the person has it, and the
// dispatch that takes the reply is not one that was cut off.
func Keep(attempt string, out personas.Outcome) error {
	if out.Kind == personas.Waiting {
		return os.Remove(filepath.Join(attempt, "prompt.md"))
	}
	if out.Reply == nil {
		return nil
	}
	return plainfile.WriteJSON(filepath.Join(attempt, "reply.json"), out.Reply)
}
