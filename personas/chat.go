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
}

// Call is a model's wish to run a tool.
type Call struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // JSON as the model wrote it, so possibly malformed
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

// LimitError says that a provider refuses more calls for now. It is neither a
// failed attempt nor a success: the same dispatch is made again later.
type LimitError struct {
	Until  time.Time // zero: the provider did not say
	Detail string
}

func (e *LimitError) Error() string {
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

// EndError is how a model says that its dispatch ended in a way which is
// neither a limit nor the credentials: crashed, timed out, no reply.
type EndError struct {
	Kind   OutcomeKind
	Detail string
}

func (e *EndError) Error() string {
	return fmt.Sprintf("the dispatch ended (%s): %s", e.Kind, e.Detail)
}
