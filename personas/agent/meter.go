package agent

import (
	"autopilot/personas"
)

// Bounds of what a byte of a prompt is worth in tokens. Prose and code lie near
// a quarter; other scripts and encoded data go up to the higher bound. A server
// that reports less than an eighth does not report the whole prompt.
const (
	usualTokens = 0.25
	leastTokens = 0.125
	mostTokens  = 0.75
	trusted     = 2_000 // bytes of a prompt from which a report is taken for the rate
	leastScale  = 0.5   // bounds of what a report makes of the tokenizer's count
	mostScale   = 3
)

// meter tells how full the window is. It counts tokens where the model's
// tokenizer is known, else bytes, and corrects both by what the server reports.
type meter struct {
	window int // tokens
	known  bool
	source string   // how it is known, in words for people
	rate   float64  // tokens of a byte
	own    *counter // nil: bytes are counted
	scale  float64  // of what own counts
	tools  int      // bytes of the tools' descriptions
	sent   int      // messages of the last request; 0: there is none that still counts
	prompt int      // tokens of the last request
	peak   int      // of the largest one
}

func newMeter(window int, tools []personas.Tool) *meter {
	m := &meter{window: window, known: window > 0, rate: usualTokens, scale: 1}
	if !m.known {
		m.window = assumedWindow
	}
	for _, t := range tools {
		m.tools += len(t.Name) + len(t.Description) + len(t.Parameters)
	}
	return m
}

// tokens estimates messages.
func (m *meter) tokens(messages []personas.Message) int {
	if m.own != nil {
		return int(float64(m.own.messages(messages)) * m.scale)
	}
	return int(float64(size(messages)) * m.rate)
}

// next is the prompt of a request that holds the messages: what the last one
// was, as far as they begin with it, and an estimate of the rest.
func (m *meter) next(messages []personas.Message) int {
	if m.sent == 0 {
		return m.tokens(messages) + int(float64(m.tools)*m.rate)
	}
	return m.prompt + m.tokens(messages[m.sent:])
}

// reported takes what a server says of a request.
func (m *meter) reported(used personas.Usage, messages []personas.Message) {
	bytes := size(messages) + m.tools
	if used.InputTokens <= 0 {
		m.prompt, m.sent = m.next(messages), len(messages)
		m.peak = max(m.peak, m.prompt)
		return
	}
	if bytes >= trusted {
		m.rate = min(mostTokens, max(leastTokens, float64(used.InputTokens)/float64(bytes)))
		if m.own != nil { // another model may stand behind the name
			counted := float64(m.own.messages(messages)) + float64(m.tools)*usualTokens
			m.scale = min(mostScale, max(leastScale, float64(used.InputTokens)/counted))
		}
	}
	m.prompt = max(used.InputTokens, int(float64(bytes)*leastTokens))
	m.sent, m.peak = len(messages), max(m.peak, m.prompt)
}

// changed is told when earlier messages were altered.
func (m *meter) changed() { m.sent = 0 }

// share is a part of the window in tokens.
func (m *meter) share(percent int) int { return m.window * percent / 100 }

// bytes is how long a text may be that takes a part of the window.
func (m *meter) bytes(percent int) int {
	return int(float64(m.share(percent)) / max(m.rate, usualTokens))
}

// overflowed is told that a server refused messages as too many.
func (m *meter) overflowed(messages []personas.Message) {
	m.window = min(m.window, max(m.next(messages)*3/4, 1_000))
	m.changed()
}

// size is the bytes of messages, with some for the frame of each.
func size(messages []personas.Message) int {
	n := 0
	for _, m := range messages {
		n += 16 + len(m.Content)
		for _, call := range m.Calls {
			n += 32 + len(call.Name) + len(call.Arguments)
		}
	}
	return n
}
