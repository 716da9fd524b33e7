package openai

import (
	"bytes"
	"encoding/json"
	"errors"

	api "github.com/sashabaranov/go-openai"
)

// errInStream is an answer that its server ended as failed, without saying why.
var errInStream = errors.New("the server broke off the answer")

// maxLine bounds a line of an answer that is looked at, in bytes.
const maxLine = 1 << 20

// answerLines keeps what the library loses of an answer: an error that a server writes into one that began well, where
// comments stand before it or other keys before its own, or the answer is not streamed; the end of a stream; and what
// is to be sent back with calls.
type answerLines struct {
	line   []byte // the beginning of the line that is read
	size   int    // of the whole of it
	beside int    // of the lines before it that are no events or have extras: all of them are held, here or by the library
	found  []byte // JSON of an object with the key error
	done   bool   // the stream said that it is whole
	extras []extra
}

// Write takes what was read, in pieces of any size.
func (s *answerLines) Write(p []byte) (int, error) {
	rest := p
	for {
		line, after, ended := bytes.Cut(rest, []byte("\n"))
		s.line = append(s.line, line[:min(len(line), maxLine-len(s.line))]...)
		s.size += len(line)
		if !ended {
			return len(p), nil
		}
		if !s.judge() {
			s.beside += s.size
		}
		s.line, s.size, rest = s.line[:0], 0, after
	}
}

// tooLong says whether more is held than an answer can be. Lines beside the events come to more than a long answer does,
// where a server numbers and names each of its events.
func (s *answerLines) tooLong() bool { return s.size > maxAnswer || s.beside > 2*maxAnswer }

// judge keeps what a line tells, and says whether it is an event of which nothing else is held. Within a text a key is
// written \"error\", so that most lines need no reading.
func (s *answerLines) judge() bool {
	data, event := bytes.CutPrefix(s.line, []byte("data:"))
	s.done = s.done || event && string(bytes.TrimSpace(data)) == "[DONE]"
	if bytes.Contains(data, []byte(`"`+extraKey+`"`)) {
		s.extras = append(s.extras, extrasIn(data)...)
		s.line = nil // it is not to be taken again as the last line
		return false
	}
	if !bytes.Contains(data, []byte(`"error"`)) {
		return event
	}
	var chunk struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(data, &chunk) == nil && len(chunk.Error) > 0 && string(chunk.Error) != "null" {
		s.found = bytes.Clone(bytes.TrimSpace(data))
	}
	return event
}

// asError reads what was found; nil where nothing was.
func (s *answerLines) asError() error {
	s.judge() // the last line may have no end
	if s.found == nil {
		return nil
	}
	var answer api.ErrorResponse
	if json.Unmarshal(s.found, &answer) == nil && answer.Error != nil {
		return answer.Error
	}
	return errors.New(string(s.found))
}
