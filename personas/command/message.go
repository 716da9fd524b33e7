package command

import (
	"errors"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/personas"
)

// fenceMark is a Markdown fence at the beginning of a line, or one that ends its line: programs put words in front of a reply
// without ending their line. Within the JSON of a reply neither can be.
var fenceMark = lazyregexp.New("(?m)^[ \t]*(?:`{3,}|~{3,})|(?:`{3,}|~{3,})\\w*[ \t]*\r?$")

// fromOutput takes the reply out of a program's output: the last fenced block
// that is meant as one, or the whole output where it has no fence. Output is no clean Markdown:
// beside the last message it holds logs, in which fences need not come in
// pairs, and often the prompt with its example of a reply. So each piece
// between two fences is looked at alone, and what the program echoes of the
// prompt is passed over. The text is what was taken for the reply.
func fromOutput(out string, cut bool, prompt string) (reply personas.Reply, text string, err error) {
	marks := fenceMark.FindAllStringIndex(out, -1)
	end := len(out)
	for i := len(marks) - 1; i >= 0; i-- {
		piece := out[marks[i][0]:end]
		reply, err := personas.FromMessage(piece)
		_, body, _ := strings.Cut(piece, "\n")
		if !errors.Is(err, personas.ErrNoReply) && !echoes(out[:end], cut, body, prompt) {
			return reply, body, err
		}
		end = marks[i][0]
	}
	if cut || len(marks) > 0 {
		return reply, "", personas.ErrNoReply
	}
	reply, err = personas.FromMessage(out)
	return reply, out, err
}

// echoes says whether the block that ends an output is one that stands in the prompt, and all that stands before it there
// comes before it here. The same block without that is the program's own: prompts quote earlier replies.
func echoes(out string, cut bool, block, prompt string) bool {
	out, block, prompt = squeezed(out), squeezed(block), squeezed(prompt)
	for at := 0; ; at++ {
		next := strings.Index(prompt[at:], block)
		if next < 0 {
			return false
		}
		at += next
		before := prompt[:at+len(block)]
		if strings.HasSuffix(out, before) || cut && strings.HasSuffix(before, out) {
			return true
		}
	}
}

// squeezed drops white space, so that an indented or wrapped echo is known.
func squeezed(s string) string { return strings.Join(strings.Fields(s), "") }
