package command

import (
	"errors"
	"strings"

	"autopilot/personas"
)

// fromOutput takes the reply out of a program's output: the last fenced block
// that is meant as one, or the whole output where it has no fence. Output is no clean Markdown:
// beside the last message it holds logs, in which fences need not come in
// pairs, and often the prompt with its example of a reply. So each piece
// between two fence lines is looked at alone, and what stands in the prompt
// too is passed over. The text is what was taken for the reply.
func fromOutput(out string, cut bool, prompt string) (reply personas.Reply, text string, err error) {
	known := squeezed(prompt)
	end := len(out)
	for start := lastFence(out[:end]); start >= 0; start = lastFence(out[:end]) {
		piece := out[start:end]
		end = start
		_, body, _ := strings.Cut(piece, "\n")
		if strings.Contains(known, squeezed(body)) {
			continue
		}
		if reply, err := personas.FromMessage(piece); !errors.Is(err, personas.ErrNoReply) {
			return reply, body, err
		}
	}
	if cut || end < len(out) {
		return reply, "", personas.ErrNoReply
	}
	reply, err = personas.FromMessage(out)
	return reply, out, err
}

// lastFence gives the offset of the last line that begins with a fence; -1
// without any.
func lastFence(text string) int {
	at := max(strings.LastIndex(text, "```"), strings.LastIndex(text, "~~~"))
	for at >= 0 {
		line := strings.LastIndexByte(text[:at], '\n') + 1
		if strings.Trim(text[line:at], " \t`~") == "" {
			return line
		}
		at = max(strings.LastIndex(text[:line], "```"), strings.LastIndex(text[:line], "~~~"))
	}
	return -1
}

// squeezed drops white space, so that an indented or wrapped echo is known.
func squeezed(s string) string { return strings.Join(strings.Fields(s), "") }
