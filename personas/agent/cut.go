package agent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

const (
	leastArguments = 8 << 10 // bytes of a turn's arguments that are always kept, whatever the window
	shortArgument  = 400     // bytes of one that is always kept: it tells what the call was about
)

// argumentsOf is how long the arguments of calls are together, in bytes.
func argumentsOf(calls []personas.Call) (n int) {
	for _, call := range calls {
		n += len(call.Arguments)
	}
	return n
}

// shortenCalls takes texts out of an older turn's calls, those of the largest call first, until all arguments together are
// within a budget of bytes. keep puts a text away and gives the line that says where it is.
func shortenCalls(calls []personas.Call, budget int, keep func(what, text string) string) []personas.Call {
	total, short := argumentsOf(calls), slices.Clone(calls)
	order := make([]*personas.Call, len(short))
	for i := range short {
		order[i] = &short[i]
	}
	slices.SortStableFunc(order, func(a, b *personas.Call) int { return cmp.Compare(len(b.Arguments), len(a.Arguments)) })
	for _, call := range order {
		if total <= budget {
			break
		}
		total -= len(call.Arguments)
		call.Arguments = shortenCall(*call, keep)
		total += len(call.Arguments)
	}
	return short
}

// shortenCall gives a call's arguments without the long ones: a model still sees which file it wrote.
func shortenCall(call personas.Call, keep func(what, text string) string) string {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(call.Arguments), &object) != nil {
		return call.Arguments
	}
	out := map[string]any{}
	for key, value := range object {
		out[key] = value
		if len(value) > shortArgument {
			text := string(value)
			_ = json.Unmarshal(value, &text) // one that is no text is kept as it was written
			out[key] = keep(key+" of "+call.Name, text)
		}
	}
	text, err := json.Marshal(out)
	if err != nil {
		return call.Arguments
	}
	return string(text)
}

// withoutLines is what read_file gave without lines of its middle, and says how to read those; "": it is no such result.
func withoutLines(call personas.Call, text string, most int) string {
	var a struct{ Path string }
	if call.Name != "read_file" || json.Unmarshal([]byte(call.Arguments), &a) != nil || a.Path == "" {
		return ""
	}
	head := strings.LastIndexByte(text[:most/2], '\n') + 1
	begins := strings.IndexByte(text[len(text)-most/2:], '\n')
	tail := len(text) - most/2 + begins + 1
	first := lineNumber(text[head:])
	last := lineNumber(text[strings.LastIndexByte(text[:max(tail-1, 0)], '\n')+1:])
	if begins < 0 || first == 0 || last < first {
		return ""
	}
	return fmt.Sprintf("%s… lines %d–%d left out; read_file %s from %d to %d …\n%s", text[:head], first, last, a.Path, first, last, text[tail:])
}

// lineNumber is the number that read_file puts before a line; 0: there is none.
func lineNumber(text string) int {
	number, _, _ := strings.Cut(toolbox.FirstLine(text), "\t")
	n, _ := strconv.Atoi(number)
	return n
}
