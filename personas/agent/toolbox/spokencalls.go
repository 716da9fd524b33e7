package toolbox

import (
	"encoding/json"
	"slices"
	"strings"

	"autopilot/personas"
)

// CallsIn takes the calls out of the end of a message: JSON with the name of a known tool and arguments, bare, in a fence or
// after <tool_call>. Some servers leave there what their model meant as a call. What has text behind it is an example.
func (b *Box) CallsIn(text string) (prose string, calls []personas.Call) {
	for {
		before, block := lastBlock(text)
		call, ok := b.spoken(block)
		if !ok {
			return text, calls
		}
		text, calls = before, slices.Insert(calls, 0, call)
	}
}

// lastBlock divides a text before the block that it ends with; "" is none.
func lastBlock(text string) (before, block string) {
	text = strings.TrimSpace(text)
	const mark = "<tool_call>"
	if at := strings.LastIndex(text, mark); at >= 0 {
		return text[:at], strings.TrimSpace(strings.TrimSuffix(text[at+len(mark):], "</tool_call>"))
	}
	if body, fenced := strings.CutSuffix(text, "```"); fenced {
		at := max(strings.LastIndex(body, "```"), 0)
		return text[:at], text[at:]
	}
	at := strings.LastIndex("\n"+text, "\n{")
	if at < 0 {
		return text, ""
	}
	return text[:at], text[at:]
}

// spoken is the call that a block of a message is.
func (b *Box) spoken(block string) (personas.Call, bool) {
	var said struct {
		Name       string
		Arguments  json.RawMessage
		Parameters json.RawMessage
	}
	if json.Unmarshal([]byte(strictJSON(block)), &said) != nil || b.find(said.Name) < 0 || said.Arguments == nil && said.Parameters == nil {
		return personas.Call{}, false
	}
	call := personas.Call{Name: said.Name, Arguments: string(said.Arguments), Note: "read the call out of your message; make calls in the form that tools have"}
	if said.Arguments == nil {
		call.Arguments = string(said.Parameters)
	}
	return call, true
}
