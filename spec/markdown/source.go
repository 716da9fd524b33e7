package markdown

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// maxSize is the largest document that is read, in bytes.
const maxSize = 1_000_000

// maxLine bounds a line, in bytes: to read what is nested in one takes the square of its depth and more, a second or so
// within this bound and soon minutes beyond it.
const maxLine = 20_000

var byteOrderMark = []byte("\xef\xbb\xbf")

// clean refuses what cannot be read as text and returns the document with "\n"
// line ends and without a byte order mark. Line numbers stay as they are.
func clean(src []byte) ([]byte, error) {
	if len(src) > maxSize {
		return nil, Refuse(1, "shorten it, or split the spec into smaller ones", "the file has %d bytes, more than the %d that are read", len(src), maxSize)
	}
	src = bytes.TrimPrefix(src, byteOrderMark)
	if line := invalidLine(src); line > 0 {
		return nil, Refuse(line, "save the file as UTF-8", "the file is not UTF-8 text")
	}
	if len(bytes.TrimSpace(src)) == 0 {
		return nil, Refuse(1, "write the document first", "the file is empty")
	}
	if bytes.IndexByte(src, '\r') < 0 {
		return src, nil
	}
	src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	src = bytes.ReplaceAll(src, []byte("\r"), []byte("\n"))
	return src, nil
}

func refuseLong(src []byte) error {
	n := 0
	for line := range bytes.Lines(src) {
		if n++; len(line) > maxLine {
			return Refuse(n, "break the line", "the line has %d bytes, more than the %d that are read", len(line), maxLine)
		}
	}
	return nil
}

// invalidLine is the 1-based line of the first byte that is not UTF-8 text, or 0.
func invalidLine(src []byte) int {
	if utf8.Valid(src) {
		return 0
	}
	line := 1
	for len(src) > 0 {
		r, size := utf8.DecodeRune(src)
		if r == utf8.RuneError && size == 1 {
			break
		}
		if r == '\n' {
			line++
		}
		src = src[size:]
	}
	return line
}

// cutFrontMatter blanks a YAML block between two "---" at the top, since Markdown
// would read its last line as a heading, and returns its unindented "key: value"
// lines with keys in lower case. Offsets and lines of the rest do not move.
func cutFrontMatter(src []byte) ([]byte, map[string]string) {
	if !bytes.HasPrefix(src, []byte("---")) {
		return src, nil // most have none: their lines need not be told apart
	}
	lines := strings.SplitAfter(string(src), "\n")
	if strings.TrimRight(lines[0], " \t\n") != "---" || len(lines) < 2 || !isYAMLKey(lines[1]) {
		return src, nil
	}
	values, size := map[string]string{}, len(lines[0])
	for _, line := range lines[1:] {
		size += len(line)
		mark := strings.TrimRight(line, " \t\n")
		if mark == "---" || mark == "..." {
			return append(blank(src[:size]), src[size:]...), values
		}
		if key, value, ok := strings.Cut(mark, ":"); ok && isYAMLKey(line) {
			values[strings.ToLower(key)] = strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return src, nil
}

// isYAMLKey says whether a line starts with a key at the left margin.
func isYAMLKey(line string) bool {
	key, rest, ok := strings.Cut(line, ":")
	if !ok || key == "" || strings.ContainsAny(key, " \t#*|[") {
		return false
	}
	return rest == "" || strings.ContainsAny(rest[:1], " \t\n")
}

// blank returns as many spaces as b has bytes, with the line ends kept.
func blank(b []byte) []byte {
	out := bytes.Repeat([]byte(" "), len(b))
	for i, c := range b {
		if c == '\n' {
			out[i] = '\n'
		}
	}
	return out
}
