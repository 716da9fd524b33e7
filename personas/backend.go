package personas

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"
)

// Key names a dispatch by its place in the work, never by its text, so that a
// recorded run still fits after a prompt was reworded.
type Key struct {
	Persona string `json:"persona" yaml:"persona"`
	Phase   int    `json:"phase" yaml:"phase"`     // 1-based position; 0: belongs to no phase
	Task    string `json:"task" yaml:"task"`       // task id, or the purpose of a dispatch without a task
	Attempt int    `json:"attempt" yaml:"attempt"` // from 1
}

// String gives the key as people see it in messages: "executor phase 1 task-002 attempt 1".
func (k Key) String() string {
	parts := []string{k.Persona}
	if k.Phase > 0 {
		parts = append(parts, fmt.Sprintf("phase %d", k.Phase))
	}
	if k.Task != "" {
		parts = append(parts, k.Task)
	}
	return strings.Join(append(parts, fmt.Sprintf("attempt %d", k.Attempt)), " ")
}

// Dispatch is one run of a persona, as the engine orders it from a backend.
// All paths are absolute.
type Dispatch struct {
	ID      string
	Key     Key
	Purpose Purpose
	Persona Persona
	Prompt  string
	Dir     string // the working tree

	OutDir     string   // .harness/out/<ID>: the one place inside .harness that the agent may write
	ReplyPath  string   // where an agent program leaves its reply (AUTOPILOT_REPLY)
	SpecCopy   string   // the session's copy of the spec: readable, never writable
	PlanDirs   []string // folders in which a persona that may plan writes Markdown
	SessionDir string

	ScratchpadDir string // in OutDir, for notes of the persona; "" where the rigor has none
	AttemptDir    string // output.log and transcript.jsonl are appended here; "" keeps no record

	Env map[string]string // what the dispatch's child processes get besides the environment

	OnUsage func(Usage)             // called for each model call, as it ends; may be nil
	OnEvent func(kind, text string) // progress for people: "text", "tool", "result", "notice"; may be nil

	Idle     time.Duration // without any sign of life; 0: no limit
	Timeout  time.Duration // whole dispatch; 0: no limit
	MaxTurns int           // model calls; 0: the backend's default
	LockFile *os.File      // handed to the supervisor of child processes; may be nil
}

// OutcomeKind is how a dispatch ended.
type OutcomeKind string

// The ends of a dispatch. Only GotReply carries a reply; RateLimited,
// Interrupted and Waiting are never a spent attempt.
const (
	GotReply    OutcomeKind = "reply"
	NoReply     OutcomeKind = "no_reply"
	RateLimited OutcomeKind = "rate_limited"
	Auth        OutcomeKind = "auth"
	TimedOut    OutcomeKind = "timed_out"
	Crashed     OutcomeKind = "crashed"
	Interrupted OutcomeKind = "interrupted"
	Waiting     OutcomeKind = "waiting" // for a person, who was told in Detail what to do; nothing was dispatched
)

// Outcome is what a dispatch came to. Usage is the sum of what OnUsage saw.
type Outcome struct {
	Kind   OutcomeKind
	Reply  *Reply    // set when Kind is GotReply
	Detail string    // for people and for the next attempt: why there is no reply
	Until  time.Time // of RateLimited: when to try again; zero: not known
	Usage  Usage
	Turns  int
}

// Backend runs a persona. An error means that the dispatch could not be made
// at all (a wrong configuration, a replay file without the dispatch, a disk
// that refuses the log); what an agent did or failed to do is an Outcome.
type Backend interface {
	Dispatch(ctx context.Context, d Dispatch) (Outcome, error)
}
