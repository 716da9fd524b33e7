package personas

import (
	"encoding/json"
	"fmt"
	"time"
)

// Roles of a Message.
const (
	RoleSystem    = "system"
	RoleUser      = "user"
	RoleAssistant = "assistant"
	RoleTool      = "tool"
)

// Message is one entry of a conversation with a chat model.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
	Calls   []Call `json:"calls,omitempty"`  // of an assistant: the tools that it wants run
	CallID  string `json:"callId,omitempty"` // of a tool result: the call that it answers

	// Reasoning is what a thinking model wants back with its calls. It lives as long as the conversation.
	Reasoning string `json:"-"`
}

// Call is a model's wish to run a tool.
type Call struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // JSON as the model wrote it, so possibly malformed
	Extra     string `json:"-"`         // JSON that the server wants back with the call, word for word; "": none

	Note    string `json:"-"`                 // how it was read where it was not written as its tool takes it, for the model
	Problem string `json:"problem,omitempty"` // of one that was written as text and not understood: why it cannot be made
}

// Tool is what a model is told about a tool.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"` // JSON schema of an object
}

// Usage is what model calls consumed. InputTokens includes CachedTokens; a
// CostUSD of 0 means that it is free or that its price is not known.
type Usage struct {
	InputTokens  int     `json:"inputTokens" yaml:"inputTokens"`
	CachedTokens int     `json:"cachedTokens" yaml:"cachedTokens"`
	OutputTokens int     `json:"outputTokens" yaml:"outputTokens"`
	CostUSD      float64 `json:"costUSD" yaml:"costUSD"`
}

// Add returns the sum of both.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		InputTokens:  u.InputTokens + v.InputTokens,
		CachedTokens: u.CachedTokens + v.CachedTokens,
		OutputTokens: u.OutputTokens + v.OutputTokens,
		CostUSD:      u.CostUSD + v.CostUSD,
	}
}

// What one report may tell at most: more than any call can have used.
const (
	mostTokens = 1 << 30
	mostUSD    = 1e6
)

// Plausible is what a program or a server reported, without numbers that no call can have. Sums of those would turn
// negative, and budgets would never be used up.
func (u Usage) Plausible() Usage {
	tokens := func(n int) int { return min(max(n, 0), mostTokens) }
	return Usage{
		InputTokens: tokens(u.InputTokens), CachedTokens: tokens(u.CachedTokens), OutputTokens: tokens(u.OutputTokens),
		CostUSD: min(max(u.CostUSD, 0), mostUSD),
	}
}

// LimitError says that a provider refuses more calls for now, or is out of order. It is neither a
// failed attempt nor a success: the same dispatch is made again later.
type LimitError struct {
	Until  time.Time // zero: the provider did not say
	UsedUp bool      // a quota or balance: waiting helps only where Until is given
	Outage Outage    // "": a limit
	Detail string
}

// Outage is why a server is out of order. Nobody knows when it is back: an Until beside it is when to look again.
type Outage string

// The kinds of outages.
const (
	ServerFails Outage = "fails"     // it answers every request with an error of its own
	NoServer    Outage = "no_server" // there is no connection to it
)

func (e *LimitError) Error() string {
	if e.Outage != "" {
		return fmt.Sprintf("the model is out of order: %s; run the same command again later", e.Detail)
	}
	if e.UsedUp && e.Until.IsZero() {
		return fmt.Sprintf("the quota or balance at the model's provider is used up: %s; raise it there or choose another --backend, then run the same command again", e.Detail)
	}
	if e.Until.IsZero() {
		return fmt.Sprintf("the model's provider limits the rate: %s; run the same command again later", e.Detail)
	}
	return fmt.Sprintf("the model's provider limits the rate until %s: %s; run the same command again then",
		e.Until.Format(time.RFC3339), e.Detail)
}

// AuthError says that a provider refuses the credentials.
type AuthError struct{ Detail string }

func (e *AuthError) Error() string {
	return fmt.Sprintf("the model's provider refuses the credentials: %s; check the API key and the base URL", e.Detail)
}

// OverflowError says that a conversation is longer than the model takes. A
// shorter one may be asked at once.
type OverflowError struct{ Detail string }

func (e *OverflowError) Error() string {
	return fmt.Sprintf("the conversation is longer than the model takes: %s; name a model with a larger window with --model", e.Detail)
}

// EndError is how a model says that its dispatch ended in a way which is
// neither a limit nor the credentials: crashed, timed out, no reply.
type EndError struct {
	Kind   OutcomeKind
	Detail string
}

func (e *EndError) Error() string {
	return fmt.Sprintf("the dispatch ended (%s): %s", e.Kind, e.Detail)
}
