package personas

import (
	"context"
	"fmt"
	"os"
	"slices"
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
	System  string // the beginning of Prompt that the persona has in all dispatches, for a system prompt; "": not told apart
	Dir     string // the working tree

	OutDir     string   // .harness/out/<ID>: the one place inside .harness that the agent may write
	ReplyPath  string   // where an agent program leaves its reply (AUTOPILOT_REPLY)
	SpecCopy   string   // the session's copy of the spec: readable, never writable
	PlanDirs   []string // folders in which a persona that may plan writes Markdown
	SessionDir string

	ScratchpadDir string // in OutDir, for notes of the persona; "" where the rigor has none
	AttemptDir    string // output.log and further records of the backend are appended here; "" keeps none

	Env map[string]string // what the dispatch's child processes get besides the environment

	OnUsage func(Usage)             // called for each model call, as it ends; may be nil
	OnEvent func(kind, text string) // progress for people: "text", "tool", "result", "notice"; may be nil
	OnLine  func(line string)       // each line of an agent program, also those beyond what OnEvent is told; may be nil
	OnStep  func(line string)       // each line by which an executor reports a step: "CHECKPOINT step=2/4 …"; may be nil

	// Check holds the work as it is now, and a reply that says done, against the evidence by which they will be judged once
	// the dispatch has ended. The text is why they would not pass, for the agent to mend; "" is that they would. An error
	// means that this cannot be said. It takes as long as the checks take, and ends with the context. Nil where nothing is
	// checked.
	Check func(ctx context.Context, r Reply) (string, error)

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
	UsedUp bool      // of RateLimited: a quota or balance, so that waiting helps only where Until is given
	Outage Outage    // of RateLimited: the server is out of order; "": it reports a limit
	// TextOnly is of an Outage: the agent's own words tell of it, and nothing else does. They may be wrong.
	TextOnly bool
	YourTurn *YourTurn // of Waiting: what the person is to do
	Usage    Usage
	Turns    int

	Metrics Metrics
}

// YourTurn is a dispatch that waits for a person.
type YourTurn struct {
	Dir     string // the working tree
	Prompt  string // the file with the instructions
	Words   int    // of the instructions
	Reply   string // the file that the reply goes into
	Problem string // why the reply that is there cannot be taken
}

// As is an outcome that counts as another kind, without its reply.
func (o Outcome) As(kind OutcomeKind, why string) Outcome {
	o.Kind, o.Detail, o.Reply, o.Until, o.UsedUp, o.Outage, o.TextOnly = kind, why, nil, time.Time{}, false, "", false
	return o
}

// Metrics tell how a dispatch went, besides its usage and turns, as far as the
// backend can see into its agent.
type Metrics struct {
	ToolCalls    int `json:"toolCalls" yaml:"toolCalls"`
	ToolFailures int `json:"toolFailures" yaml:"toolFailures"` // calls that were answered with an error
	Compactions  int `json:"compactions" yaml:"compactions"`
	Checked      int `json:"checked" yaml:"checked"`     // 1: the work was checked when it was first submitted as done
	FirstPass    int `json:"firstPass" yaml:"firstPass"` // 1: and it passed
	Refusals     int `json:"refusals" yaml:"refusals"`   // how often it was submitted as done and refused
	Fill         int `json:"fill" yaml:"fill"`           // tokens of the largest prompt
	Window       int `json:"window" yaml:"window"`       // tokens that the model takes, as far as is known

	Advised int       `json:"advised,omitempty" yaml:"advised,omitempty"` // how often the model was told that it goes in circles
	Repeats int       `json:"repeats,omitempty" yaml:"repeats,omitempty"` // how often it made one call with one result, at most
	Edits   int       `json:"edits,omitempty" yaml:"edits,omitempty"`     // how often it edited one file before a check passed, at most
	Tools   []ToolUse `json:"tools,omitempty" yaml:"tools,omitempty"`     // the tool calls by their tools

	ToldTools bool `json:"toldTools" yaml:"toldTools"` // the tool calls were counted: a zero is none
	ToldAll   bool `json:"toldAll" yaml:"toldAll"`     // and so was all the rest
}

// ToolUse is how often a tool was called, and how many of these calls were answered with an error. Calls of what is no tool
// have no name.
type ToolUse struct {
	Name     string `json:"name" yaml:"name"`
	Calls    int    `json:"calls" yaml:"calls"`
	Failures int    `json:"failures" yaml:"failures"`
}

// Called counts a call of a tool.
func (m *Metrics) Called(name string, failed bool) {
	at := slices.IndexFunc(m.Tools, func(t ToolUse) bool { return t.Name == name })
	if at < 0 {
		at, m.Tools = len(m.Tools), append(m.Tools, ToolUse{Name: name})
	}
	m.ToolCalls++
	m.Tools[at].Calls++
	if failed {
		m.ToolFailures++
		m.Tools[at].Failures++
	}
}

// Backend runs a persona. An error means that the dispatch could not be made
// at all (a wrong configuration, a replay file without the dispatch, a disk
// that refuses the log); what an agent did or failed to do is an Outcome.
type Backend interface {
	Dispatch(ctx context.Context, d Dispatch) (Outcome, error)
}

// Submits says whether a backend's agent hands its reply in through the tool
// submit_reply, which tells the reply's form: see Brief.Submits. Such a backend
// has a method of that name.
func Submits(b Backend) bool {
	s, ok := b.(interface{ Submits() bool })
	return ok && s.Submits()
}
