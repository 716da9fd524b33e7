package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"autopilot/autopilot/lazyregexp"
)

// maxFile is far above any real configuration; what is larger was named by
// mistake.
const maxFile = 1 << 20

// readFile gives the bytes of a configuration file; found is false where there
// is none. A byte order mark, which editors on Windows write, is taken off.
func readFile(path string) (data []byte, found bool, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, false, nil
	case err != nil:
		return nil, false, &Error{Problem: fmt.Sprintf("cannot be opened: %v", err), Hint: "check its permissions"}
	case !info.Mode().IsRegular():
		return nil, true, &Error{Problem: "is not a regular file", Hint: "put a YAML file in its place, or remove it"}
	case info.Size() > maxFile:
		return nil, true, &Error{Problem: "is larger than 1 MB", Hint: "name a configuration file"}
	}
	data, err = os.ReadFile(path)
	if err != nil {
		return nil, true, &Error{Problem: fmt.Sprintf("cannot be read: %v", err), Hint: "check its permissions"}
	}
	return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), true, nil
}

// parseFile gives the settings of a YAML file; name is how messages call it.
// An empty file sets nothing.
func parseFile(name string, data []byte) layer {
	w := walker{file: name}
	doc, err := parseYAML(data)
	if err != nil {
		w.accuse(err, Origin{Name: name}, "")
	} else if doc != nil {
		w.walk(schema(), doc, nil)
	}
	return w.layer
}

// parseYAML gives the one document of a file, nil for an empty one.
func parseYAML(data []byte) (*yaml.Node, error) {
	if at := badText(data); at > 0 {
		return nil, &Error{Origin: Origin{Line: at}, Problem: "is not UTF-8 text", Hint: "save it as UTF-8"}
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var doc, more yaml.Node
	if err := decoder.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		return nil, syntaxError(err, data)
	}
	switch err := decoder.Decode(&more); {
	case errors.Is(err, io.EOF):
	case err != nil:
		return nil, syntaxError(err, data)
	default:
		return nil, fault(&more, "holds a second document").hint("remove the line ---, or one of the two")
	}
	if top := resolve(&doc); top.ShortTag() != "!!null" {
		return top, nil
	}
	return nil, nil
}

// badText gives the 1-based line of the first byte that is not UTF-8 text or
// is NUL (which is what UTF-16 looks like), 0 where there is none.
func badText(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == 0 || r == utf8.RuneError && size == 1 {
			return 1 + bytes.Count(data[:i], []byte("\n"))
		}
		i += size
	}
	return 0
}

var yamlLine = lazyregexp.New(`line (\d+): `)

// syntaxError turns a message of the YAML library into ours. The library does
// not call a tab by its name; it names no line for a mistake in the first one,
// or for an anchor; and its parser, unlike its scanner, counts lines from 0.
func syntaxError(err error, data []byte) error {
	if line := leadingTab(data); line > 0 {
		return &Error{Origin: Origin{Line: line}, Problem: "is indented with a tab", Hint: "YAML wants spaces"}
	}
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1])
		text = strings.TrimPrefix(text, m[0])
		if strings.HasPrefix(text, "did not find expected") {
			line++
		}
	} else if strings.HasPrefix(text, "unknown anchor") {
		line = 0
	}
	hint := "check the indentation, the colons and the quotes there"
	return &Error{Origin: Origin{Line: line}, Problem: "is not valid YAML: " + text, Hint: hint}
}

func leadingTab(data []byte) int {
	number := 0
	for line := range bytes.Lines(data) {
		number++
		indent := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
		if bytes.ContainsRune(indent, '\t') && len(bytes.TrimSpace(line)) > 0 {
			return number
		}
	}
	return 0
}
