package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"slices"

	"autopilot/autopilot/jsonedit"
	"autopilot/autopilot/lazyregexp"
)

// textArguments is an answer in which the arguments of a call are a text, also where its server writes them as an object: the
// library would refuse all of it.
type textArguments struct {
	io.ReadCloser
	lines *bufio.Reader
	rest  []byte
	err   error
}

func (b *textArguments) Read(p []byte) (int, error) {
	for len(b.rest) == 0 && b.err == nil {
		b.rest, b.err = b.lines.ReadBytes('\n')
		b.rest = bytes.TrimPrefix(b.rest, []byte("\ufeff"))
		if bytes.HasPrefix(b.rest, []byte("{")) && b.err == nil { // no event: the answer in one piece
			var more []byte
			more, b.err = io.ReadAll(b.lines)
			b.rest = append(b.rest, more...)
		}
		b.rest = withTextArguments(b.rest)
	}
	if len(b.rest) == 0 {
		return 0, b.err
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// objectArguments cannot be met in a text, within which quotes are escaped.
var objectArguments = lazyregexp.New(`"arguments"\s*:\s*\{`)

func withTextArguments(data []byte) []byte {
	for from := 0; bytes.Contains(data[from:], []byte(`"arguments"`)); {
		key := objectArguments.Find(data[from:])
		if key == nil {
			break
		}
		begin := from + bytes.Index(data[from:], key) + len(key) - 1
		var object json.RawMessage
		if json.NewDecoder(bytes.NewReader(data[begin:])).Decode(&object) != nil {
			break
		}
		text := jsonedit.Compact(string(object))
		data = slices.Replace(data, begin, begin+len(object), text...)
		from = begin + len(text)
	}
	return data
}
