package agent

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/jsonedit"
	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

// callReader reads the calls in a text, line by line.
type callReader struct {
	mask  *personas.Mask // of what a problem quotes
	lines []string
	at    int
	kinds map[string]map[string]string // of each tool's arguments
	prose []string
	calls []personas.Call
}

// readCalls takes the blocks out of a text. One that is malformed becomes a call
// with a Problem, so that the model gets to know it as the call's result; what
// stands behind it is not read.
func readCalls(m *personas.Mask, text string, tools []personas.Tool) (string, []personas.Call) {
	r := &callReader{mask: m, lines: strings.Split(plainEnds(text), "\n"), kinds: map[string]map[string]string{}}
	for _, t := range tools {
		names, about, _ := parameters(t)
		r.kinds[t.Name] = map[string]string{}
		for _, name := range names {
			r.kinds[t.Name][name] = kindOf(about[name])
		}
	}
	for r.at < len(r.lines) {
		line := strings.TrimSpace(r.lines[r.at])
		switch name, opens := opening(line); {
		case opens:
			r.call(name)
		case strings.HasPrefix(line, thinks):
			r.thoughts()
		case strings.HasPrefix(line, thought), strings.HasSuffix(line, thought): // begun by the server, out of sight
			r.calls = nil
			r.thoughts()
		default:
			r.prose = append(r.prose, r.lines[r.at])
			r.at++
		}
	}
	return strings.TrimSpace(strings.Join(r.prose, "\n")), r.calls
}

// What stands between these a model thought aloud: blocks in there are drafts, and no calls.
const thinks, thought = "<think>", "</think>"

// thoughts takes lines up to the end of thinking as prose. What stands behind it
// in its line is read like a line of its own; without an end, all is thought.
func (r *callReader) thoughts() {
	for ; r.at < len(r.lines); r.at++ {
		line := r.lines[r.at]
		if at := strings.Index(line, thought); at >= 0 {
			at += len(thought)
			r.prose, r.lines[r.at] = append(r.prose, line[:at]), line[at:]
			return
		}
		r.prose = append(r.prose, line)
	}
}

// spoken is an answer without what was thought before it: a reply in there is a draft.
func spoken(text string) string {
	if !strings.HasPrefix(strings.TrimSpace(text), thinks) {
		return text
	}
	_, after, _ := strings.Cut(text, thought)
	return after
}

// plainEnds takes the line ends of an answer for \n when all of them are \r\n: so
// the server writes, and not the file that is meant.
func plainEnds(text string) string {
	if strings.Count(text, "\n") == strings.Count(text, "\r\n") {
		return strings.ReplaceAll(text, "\r\n", "\n")
	}
	return text
}

// opening says whether a line begins a block, and gives what it names. Marks of
// a merge conflict, which are longer, do not.
func opening(line string) (string, bool) {
	name, ok := strings.CutPrefix(strings.TrimSpace(line), "<<<")
	name = strings.TrimSpace(name)
	return name, ok && name != "" && (toolbox.InWord(rune(name[0])) || name[0] == '_')
}

// call reads one block.
func (r *callReader) call(name string) {
	from := r.at
	r.at++
	arguments, err := r.arguments(name)
	call := personas.Call{Name: name, Arguments: arguments}
	if err != nil { // what follows may be the text of a file, and no call
		r.at = len(r.lines)
		call.Problem = fmt.Sprintf("the block <<<%s was not understood, so neither it nor what follows was done: %v; write <<<NAME, then KEY: VALUE lines, then >>>", toolbox.Cut(r.mask, name, maxName), err)
		call.Arguments = asObject("malformed", toolbox.Cut(r.mask, strings.Join(r.lines[from:], "\n"), 300))
	}
	r.calls = append(r.calls, call)
}

// arguments reads up to the block's end, and gives a JSON object.
func (r *callReader) arguments(tool string) (string, error) {
	if !isName(tool) {
		return "", fmt.Errorf("the line that opens it holds more than the tool's name")
	}
	var names, members []string
	for ; r.at < len(r.lines); r.at++ {
		line := strings.TrimSpace(r.lines[r.at])
		if line == "" {
			continue
		}
		if line == ">>>" {
			r.at++
			return "{" + strings.Join(members, ",") + "}", nil
		}
		if _, opens := opening(line); opens {
			return "", fmt.Errorf("it is not closed by a line >>> before the next one begins")
		}
		name, value, ok := strings.Cut(line, ":")
		if name = strings.TrimSpace(name); !ok || !isName(name) {
			return "", fmt.Errorf("the line %q is no argument", toolbox.Cut(r.mask, line, 60))
		}
		if slices.Contains(names, name) {
			return "", fmt.Errorf("%s is given twice", name)
		}
		text, err := r.value(name, strings.TrimSpace(value))
		if err != nil {
			return "", err
		}
		encoded, err := encode(r.mask, text, name, r.kinds[tool][name])
		if err != nil {
			return "", err
		}
		names, members = append(names, name), append(members, fmt.Sprintf("%q:%s", name, encoded))
	}
	return "", fmt.Errorf("it is not closed by a line >>>; when that is because the answer became too long, do it in several smaller calls")
}

// value is the rest of a line, or the lines up to a word. The word stands where the
// key does: one that is indented further belongs to the text.
func (r *callReader) value(name, inline string) (string, error) {
	word, long := strings.CutPrefix(inline, "<<")
	if !long {
		return inline, nil
	}
	word, bare := strings.CutSuffix(word, "-")
	if !isName(word) {
		return "", fmt.Errorf("the value of %s begins with << and no word; put it between <<WORD and a line WORD", name)
	}
	from, key := r.at+1, r.lines[r.at]
	indent := key[:len(key)-len(strings.TrimLeft(key, " \t"))]
	for i := from; i < len(r.lines); i++ {
		if line := strings.TrimRight(r.lines[i], " \t\r"); line != word && line != indent+word {
			continue
		}
		r.at = i
		text := strings.Join(r.lines[from:i], "\n")
		if !bare && i > from {
			text += "\n"
		}
		return text, nil
	}
	return "", fmt.Errorf("the text of %s is not closed by a line %s", name, word)
}

// encode makes JSON of a value. One that no schema knows is what it looks like:
// a reply may hold more than its persona's schema tells.
func encode(m *personas.Mask, text, name, kind string) ([]byte, error) {
	trimmed := []byte(strings.TrimSpace(text))
	if kind == "" && json.Valid(trimmed) && trimmed[0] != '"' {
		return trimmed, nil
	}
	if kind == "" || kind == "string" {
		return jsonedit.Compact(text), nil
	}
	var value any
	err := json.Unmarshal(trimmed, &value)
	fits := false
	switch value.(type) {
	case float64:
		fits = kind == "integer" || kind == "number"
	case bool:
		fits = kind == "boolean"
	case []any:
		fits = kind == "array"
	case map[string]any:
		fits = kind == "object"
	}
	if err != nil || !fits {
		return nil, fmt.Errorf("%s must be of the type %s as JSON, not %q", name, kind, toolbox.Cut(m, text, 60))
	}
	return trimmed, nil
}

// isName says whether a word can name a tool or an argument.
func isName(word string) bool {
	return word != "" && sendableName(word) == word
}
