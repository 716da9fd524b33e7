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
	leastWindow = 2_000 // no server loads less
)

// meter tells how full the window is. It counts tokens where the model's
// tokenizer is known, else bytes, and corrects both by what the server reports.
type meter struct {
	window int // tokens
	known  bool
	source string   // how it is known, in words for people
	remedy string   // what makes it larger
	rate   float64  // tokens of a byte
	own    *counter // nil: bytes are counted
	scale  float64  // of what own counts
	tools  int      // bytes of the tools' descriptions
	sent   int      // messages of the last request; 0: there is none that still counts
	prompt int      // tokens of the last request
	peak   int      // of the largest one
	count  int      // tokens of the last request by our own count, which began at a report and grew with the messages
	least  int      // the same, where each byte is worth as little as it can be
}

func newMeter(window personas.Window, tools []personas.Tool) *meter {
	m := &meter{rate: usualTokens, scale: 1}
	m.learn(window)
	for _, t := range tools {
		m.tools += len(t.Name) + len(t.Description) + len(t.Parameters)
	}
	return m
}

// learn takes up what is known of the window.
func (m *meter) learn(w personas.Window) {
	m.window, m.known, m.source, m.remedy = w.Tokens, w.Source != "", w.Source, w.Remedy
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

// reported takes what a server says of a request, and says whether it cut the request without a word.
func (m *meter) reported(used personas.Usage, messages []personas.Message) (cut bool) {
	bytes := size(messages) + m.tools
	if used.InputTokens <= 0 {
		m.prompt, m.sent = m.next(messages), len(messages)
		m.peak = max(m.peak, m.prompt)
		return false
	}
	if m.cut(used.InputTokens, messages) {
		m.window, m.known, m.source = max(used.InputTokens, leastWindow), true, "as its server's count shows"
		m.rate, m.scale = max(m.rate, usualTokens), max(m.scale, 1) // they may be those of a prompt that was cut
		m.prompt, m.sent = used.InputTokens, len(messages)
		return true
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
	return false
}

// cut compares what a server told of a request with our own count since its first report. A server cuts where it counts more
// than a fifth less, and less than can be. One that counts less than half of what it did before leaves out what it has cached.
func (m *meter) cut(told int, messages []personas.Message) bool {
	thoughts := 0 // a server may leave them out
	if m.sent == 0 {
		m.count, m.least = 0, 0
	} else {
		m.count += m.tokens(messages[m.sent:])
		m.least += int(float64(size(messages[m.sent:])) * leastTokens)
		for _, message := range messages {
			thoughts += int(float64(len(message.Reasoning)) * usualTokens)
		}
	}
	seen := told + thoughts
	is := seen < m.count*4/5 && seen < m.least && told >= m.peak/2 && told < m.window
	m.count, m.least = max(m.count, told), max(m.least, told)
	return is
}

// changed is told when earlier messages were altered.
func (m *meter) changed() { m.sent = 0 }

// share is a part of the window in tokens.
func (m *meter) share(percent int) int { return m.window * percent / 100 }

// bytes is how long a text may be that takes a part of the window.
func (m *meter) bytes(percent int) int {
	return int(float64(m.share(percent)) / max(m.rate, usualTokens))
}

// overflowed is told that a server refused what was counted as so many tokens, and the window that it named, or 0. Where
// that is no less than the count, ours is not the server's.
func (m *meter) overflowed(asked, told int) {
	if told > 0 && told < asked {
		m.window, m.known, m.source = min(m.window, told), true, "as its server says"
	} else {
		m.window, m.known, m.source = min(m.window, max(asked*3/4, 1_000)), false, ""
	}
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
