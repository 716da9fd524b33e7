package results

import (
	"bytes"
	"html"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// junitScanner is a writer that reads JUnit XML out of a stream in which other text may stand before and behind it. It
// keeps one tag at a time, so that a report of any size, on one line or many, costs no memory but the names.
type junitScanner struct {
	programReport

	name func(suites []string, class, name string) string

	suites []string // names of the open suites
	test   *junitTest
	tag    []byte
	in     junitPlace
	quote  byte
}

// junitTest is the testcase at hand.
type junitTest struct {
	name   string
	result TestResult
}

// junitPlace is where in a document the scanner stands.
type junitPlace int

const (
	inText junitPlace = iota
	inTag
	inComment
	inData
)

// maxTag is more than the attributes that matter take; what is longer is passed over.
const maxTag = 64 << 10

func (x *junitScanner) Write(b []byte) (int, error) {
	n := len(b)
	for len(b) > 0 {
		switch x.in {
		case inText:
			at := bytes.IndexByte(b, '<')
			if at < 0 {
				return n, nil
			}
			b, x.in, x.tag, x.quote = b[at+1:], inTag, x.tag[:0], 0
		case inComment:
			b = x.skip(b, "-->")
		case inData:
			b = x.skip(b, "]]>")
		default:
			x.byte(b[0])
			b = b[1:]
		}
	}
	return n, nil
}

// skip passes over everything up to the end of a comment or of character data.
func (x *junitScanner) skip(b []byte, end string) []byte {
	seen := len(x.tag) // the end of what came before: the mark may be cut in two
	near := append(x.tag, b[:min(len(b), len(end)-1)]...)
	if at := bytes.Index(near, []byte(end)); at >= 0 {
		x.in = inText
		return b[at+len(end)-seen:]
	}
	if at := bytes.Index(b, []byte(end)); at >= 0 {
		x.in = inText
		return b[at+len(end):]
	}
	if len(b) >= len(end) {
		near = b
	}
	x.tag = append(x.tag[:0], near[max(0, len(near)-len(end)+1):]...)
	return nil
}

// reportRoot begins every tag by which a report begins.
const reportRoot = "testsuite"

func (x *junitScanner) byte(c byte) {
	outside := len(x.suites) == 0
	switch {
	case x.quote != 0:
		if c == x.quote {
			x.quote = 0
		}
	case c == '>':
		x.element(strings.ToValidUTF8(string(x.tag), ""))
		x.in = inText
		return
	case (c == '"' || c == '\'') && (!outside || bytes.HasPrefix(x.tag, []byte(reportRoot))):
		x.quote = c
	}
	if len(x.tag) < maxTag {
		x.tag = append(x.tag, c)
	}
	switch {
	case outside && !strings.HasPrefix(reportRoot, string(x.tag[:min(len(x.tag), len(reportRoot))])):
		x.in = inText
		if c == '<' {
			x.in, x.tag = inTag, x.tag[:0]
		}
	case !outside && string(x.tag) == "!--":
		x.in, x.tag = inComment, x.tag[:0]
	case !outside && string(x.tag) == "![CDATA[":
		x.in, x.tag = inData, x.tag[:0]
	}
}

var (
	junitElement   = lazyregexp.New(`^/?[\w:.-]+`)
	junitAttribute = lazyregexp.New(`([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')`)
)

// element takes a whole tag, without its brackets.
func (x *junitScanner) element(tag string) {
	closed := strings.HasSuffix(tag, "/")
	switch junitElement.FindString(tag) {
	case "testsuites", "testsuite":
		if !closed {
			x.suites = append(x.suites, attributes(tag)["name"])
		}
	case "/testsuites", "/testsuite":
		x.suites = x.suites[:max(0, len(x.suites)-1)]
	case "testcase":
		at := attributes(tag)
		x.test = &junitTest{name: x.name(x.suites, at["classname"], at["name"]), result: TestPassed}
		if closed {
			x.ended()
		}
	case "/testcase":
		x.ended()
	case "failure", "error":
		x.result(TestFailed)
	case "skipped":
		x.result(TestSkipped)
	case "flakyFailure", "flakyError": // Maven's: it passed in the end
		if x.test != nil {
			x.flake(x.test.name)
		}
	}
}

func attributes(tag string) map[string]string {
	found := map[string]string{}
	for _, m := range junitAttribute.FindAllStringSubmatch(tag, -1) {
		found[m[1]] = html.UnescapeString(m[2] + m[3])
	}
	return found
}

func (x *junitScanner) result(r TestResult) {
	if x.test != nil && x.test.result != TestFailed {
		x.test.result = r
	}
}

func (x *junitScanner) ended() {
	if x.test != nil {
		x.again(x.test.name, x.test.result)
		x.lists, x.Spoke = true, true
	}
	x.test = nil
}
