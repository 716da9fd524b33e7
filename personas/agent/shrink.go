package agent

import (
	"autopilot/personas"
)

// dropped stands in place of a tool result that was taken out.
const dropped = "(This result was dropped to save space. Call the tool again if it is still needed.)"

// shrink drops the oldest tool results when the conversation is too long, down
// to half of the limit, so that a provider's cache of the prefix is lost seldom.
func (c *conversation) shrink() {
	size := 0
	for _, m := range c.messages {
		size += messageSize(m)
	}
	if size <= c.maxContext {
		return
	}
	for i := range c.messages {
		m := &c.messages[i]
		// What the last turn brought was not read yet.
		if size <= c.maxContext/2 || i >= len(c.messages)-lastResults(c.messages) {
			return
		}
		if m.Role == personas.RoleTool && len(m.Content) > len(dropped) {
			size -= len(m.Content) - len(dropped)
			m.Content = dropped
		}
	}
}

func messageSize(m personas.Message) int {
	n := len(m.Content)
	for _, call := range m.Calls {
		n += len(call.Arguments)
	}
	return n
}

// lastResults counts the tool results at the end of the conversation.
func lastResults(messages []personas.Message) int {
	n := 0
	for n < len(messages) && messages[len(messages)-1-n].Role != personas.RoleAssistant {
		n++
	}
	return n
}
