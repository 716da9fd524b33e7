package results

import (
	"bytes"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// format reads the lines of one test program's output.
type format interface {
	read(line string) (mine bool)
	end() // no line comes any more
	reported() *programReport
}

// testReader is a writer that reads the names and the counts of tests from an output of any length, line by line.
type testReader struct {
	formats []format
	xml     *junitScanner // sees every byte: a report may stand on one line; nil where none is expected
	root    string        // left away from names: the same file is another path in another working tree
	line    []byte
	last    format
}

// NewTestReader reads what the named programs print; without names, what any prints.
func NewTestReader(root string, only ...string) *testReader {
	r := &testReader{}
	for _, t := range Tools {
		if t.read != nil && (len(only) == 0 || slices.Contains(only, t.Name)) {
			r.formats = append(r.formats, t.read())
		}
	}
	if len(only) == 0 || slices.Contains(only, "junit") {
		r.xml = &junitScanner{name: junitName(root)}
	}
	r.formats = append(r.formats, &scriptFormat{}, &spoilerFormat{})
	if root != "" {
		r.root = root + "/"
	}
	return r
}

// maxLine is more than any line that names a test; the rest of a longer one is passed over.
const maxLine = 64 << 10

func (r *testReader) Write(b []byte) (int, error) {
	n := len(b)
	if r.xml != nil {
		_, _ = r.xml.Write(b)
	}
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

// escapes are what terminals take for colours: CSI sequences, and the choice of a character set, which some terminals'
// words for "no colour" begin with.
var escapes = lazyregexp.New("\x1b(?:\\[[0-9;:?]*[ -/]*[@-~]|[()][0-9A-B])")

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

// reported ends the reading. Where a header or a summary of a test program stands in the output, the other programs' lines
// are what tests printed.
func (r *testReader) reported() *programReport {
	r.read()
	var reports []*programReport
	spoke := false
	for _, f := range r.formats {
		f.end()
		reports = append(reports, f.reported())
	}
	if r.xml != nil {
		reports = append(reports, &r.xml.programReport)
	}
	for _, s := range reports {
		spoke = spoke || s.Spoke
	}
	all := &programReport{results: map[string]TestResult{}}
	for _, s := range reports {
		if s.Spoke || !spoke || s.always {
			all.merge(s)
		}
	}
	return all
}
