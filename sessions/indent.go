package sessions

import "bytes"

// indent spreads compact, valid JSON over lines, two spaces a level, as json.Indent does. It does not check what is
// valid already: a snapshot is written at every step, and the check is most of json.Indent's time.
func indent(compact []byte) []byte {
	out := make([]byte, 0, len(compact)*2)
	depth := 0
	newline := func() {
		out = append(out, '\n')
		for range depth {
			out = append(out, ' ', ' ')
		}
	}
	for i := 0; i < len(compact); i++ {
		switch c := compact[i]; c {
		case '"':
			end := i + stringLen(compact[i:])
			out = append(out, compact[i:end]...)
			i = end - 1
		case '{', '[':
			out = append(out, c)
			if next := compact[i+1]; next == '}' || next == ']' {
				out = append(out, next)
				i++
				continue
			}
			depth++
			newline()
		case '}', ']':
			depth--
			newline()
			out = append(out, c)
		case ',':
			out = append(out, c)
			newline()
		case ':':
			out = append(out, c, ' ')
		default:
			out = append(out, c)
		}
	}
	return out
}

// stringLen is the length of the JSON string that text begins with, quotes included.
func stringLen(text []byte) int {
	for at := 1; ; {
		quote := at + bytes.IndexByte(text[at:], '"')
		if slash := bytes.IndexByte(text[at:quote], '\\'); slash >= 0 {
			at += slash + 2
			continue
		}
		return quote + 1
	}
}
