package agent

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

const (
	maxCalls  = 64  // of one turn that are run
	minResult = 400 // bytes of a result that are always kept
)

// admit takes an answer into the conversation and gives it back as the model
// meant it. What is kept may differ: servers refuse a conversation with calls
// that share an id, have arguments that are no JSON object, or a name with odd
// characters, and a long text must not fill the window, nor long thoughts the memory. Arguments stay whole: a model that
// does not see what it has just written writes it again.
func (c *conversation) admit(answer personas.Message) personas.Message {
	answer.Role = personas.RoleAssistant
	answer.Calls = slices.Clone(answer.Calls)
	if len(answer.Calls) == 0 && spoken(answer.Content) != "" {
		answer.Content, answer.Calls = c.tools.CallsIn(answer.Content)
	}
	seen := map[string]bool{}
	for i := range answer.Calls {
		call := &answer.Calls[i]
		if strings.TrimSpace(call.ID) == "" || seen[call.ID] {
			call.ID = fmt.Sprintf("call_%d_%d", c.turn, i+1)
		}
		seen[call.ID] = true
	}
	c.rec.message(answer)
	for i, call := range answer.Calls {
		answer.Calls[i] = c.tools.Read(call)
	}
	slices.SortStableFunc(answer.Calls, func(a, b personas.Call) int { // a reply is about all else of its turn
		return last(a.Name) - last(b.Name)
	})
	kept := answer
	kept.Calls = make([]personas.Call, len(answer.Calls))
	room := c.meter.bytes(answerShare)
	for i, call := range answer.Calls {
		call.Arguments = c.rec.mask.Known(call.Arguments)
		kept.Calls[i] = c.sendable(call)
	}
	kept.Content = c.limit("what you said", c.rec.mask.Known(answer.Content), room)
	kept.Reasoning = toolbox.Cut(c.rec.mask, answer.Reasoning, room)
	c.messages = append(c.messages, kept)
	return answer
}

func last(tool string) int {
	if tool == toolbox.SubmitReply {
		return 1
	}
	return 0
}

// sendable is a call that every server takes back.
func (c *conversation) sendable(call personas.Call) personas.Call {
	call.Name = sendableName(c.rec.mask.Replace(call.Name))
	arguments := strings.TrimSpace(call.Arguments)
	var object map[string]json.RawMessage
	switch {
	case arguments == "": // of a tool that is none
		call.Arguments = "{}"
	case json.Unmarshal([]byte(arguments), &object) != nil || object == nil:
		call.Arguments = asObject("malformed", toolbox.Cut(c.rec.mask, strings.ToValidUTF8(arguments, "\uFFFD"), 300))
	}
	return call
}

// result shortens what a call gave to its beginning and end, and says how to read the rest.
func (c *conversation) result(call personas.Call, text string, bytes int) string {
	if len(text) > bytes {
		if short := withoutLines(call, text, bytes); short != "" {
			return c.rec.mask.Known(short)
		}
	}
	return c.limit(called(c.rec.mask, call), text, bytes)
}

// limit shortens a text to its beginning and end, and says where the whole is.
func (c *conversation) limit(what, text string, bytes int) string {
	if len(text) <= bytes {
		return text
	}
	return toolbox.Capped(c.rec.mask, text, bytes) + "\n" + c.archived(what, text)
}
