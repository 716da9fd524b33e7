package check

import (
	"bytes"
	"strings"
)

// format reads the lines of one test program's output.
type format interface {
	read(line string) (mine bool)
	end() // no line comes any more
	told() *sheet
}

// testReader is a writer that reads the names and the counts of tests from an output of any length, line by line.
type testReader struct {
	formats []format
	xml     *junitScanner // sees every byte: a report may stand on one line
	root    string        // left away from names: the same file is another path in another working tree
	line    []byte
	last    format
}

func newTestReader(root string) *testReader {
	xml := &junitScanner{name: junitName(root)}
	if root != "" {
		root += "/"
	}
	return &testReader{
		formats: []format{
			newGoFormat(), &pytestFormat{}, &unittestFormat{}, &cargoFormat{}, &tapFormat{}, &nodeFormat{}, &jestFormat{},
			&vitestFormat{}, &mochaFormat{}, &mavenFormat{}, &spoilerFormat{},
		},
		xml: xml, root: root,
	}
}

// maxLine is more than any line that names a test; the rest of a longer one is passed over.
const maxLine = 64 << 10

func (r *testReader) Write(b []byte) (int, error) {
	n := len(b)
	_, _ = r.xml.Write(b)
	for {
		part, rest, found := bytes.Cut(b, []byte("\n"))
		r.line = append(r.line, part[:min(len(part), maxLine-len(r.line))]...)
		if !found {
			return n, nil
		}
		r.read()
		b = rest
	}
}

var escapes = lazily("\x1b\\[[0-9;]*[A-Za-z]")

func (r *testReader) read() {
	line := strings.TrimSuffix(string(r.line), "\r")
	r.line = r.line[:0]
	if strings.IndexByte(line, '\x1b') >= 0 {
		line = escapes.ReplaceAllString(line, "")
	}
	if r.root != "" {
		line = strings.ReplaceAll(line, r.root, "")
	}
	// The program that printed the last line that told something is the likeliest to have printed this one.
	if r.last != nil && r.last.read(line) {
		return
	}
	for _, f := range r.formats {
		if f != r.last && f.read(line) {
			r.last = f
			return
		}
	}
}

// told ends the reading.
func (r *testReader) told() *sheet {
	r.read()
	all := &sheet{results: map[string]TestResult{}}
	for _, f := range r.formats {
		f.end()
		all.merge(f.told())
	}
	all.merge(&r.xml.sheet)
	return all
}
