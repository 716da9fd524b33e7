package personas

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// ErrNoReply says that a message holds nothing that looks like a reply.
var ErrNoReply = errors.New("the message holds no reply; put it, as JSON, into a fenced block at the end")

// FromMessage takes the reply out of an agent's last message: the last fenced
// block that is a JSON object with a status, else the whole message when it is
// one. Without any the error is ErrNoReply; a block that is meant as a reply
// but is not valid gives its *ReplyError.
func FromMessage(text string) (Reply, error) {
	blocks := append([]string{text}, fencedBlocks(text)...)
	for i := len(blocks) - 1; i >= 0; i-- {
		if meantAsReply(blocks[i]) {
			return ParseReply([]byte(blocks[i]))
		}
	}
	return Reply{}, ErrNoReply
}

// meantAsReply is generous, so that a reply with a slip in its JSON is sent
// back for repair and not overlooked.
func meantAsReply(block string) bool {
	block = strings.TrimSpace(block)
	if !strings.HasPrefix(block, "{") {
		return false
	}
	var keys map[string]json.RawMessage
	if json.Unmarshal([]byte(block), &keys) == nil {
		return keys["status"] != nil
	}
	return strings.Contains(block, `"status"`) && strings.Contains(block, `"summary"`)
}

// fencedBlocks gives the contents of the Markdown fences of a text, in order.
// A fence that is never closed ends with the text, as in CommonMark.
func fencedBlocks(text string) []string {
	var blocks []string
	var open string
	var block bytes.Buffer
	for line := range strings.Lines(text) {
		mark := fenceMark(line)
		switch {
		case open == "" && mark != "":
			open = mark
		case open != "" && closes(line, open):
			blocks, open = append(blocks, block.String()), ""
			block.Reset()
		case open != "":
			block.WriteString(line)
		}
	}
	if open != "" {
		blocks = append(blocks, block.String())
	}
	return blocks
}

// fenceMark gives the run of backticks or tildes that opens a fence, else "".
func fenceMark(line string) string {
	line = strings.TrimLeft(line, " \t")
	for _, c := range []string{"`", "~"} {
		run := line[:len(line)-len(strings.TrimLeft(line, c))]
		if len(run) >= 3 {
			return run
		}
	}
	return ""
}

func closes(line, open string) bool {
	line = strings.TrimSpace(line)
	return len(line) >= len(open) && strings.Trim(line, open[:1]) == ""
}
