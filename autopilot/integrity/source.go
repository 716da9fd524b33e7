package integrity

import (
	"path"
	"strings"
)

// source is a file that holds tests, cut into lines and functions. Comments and
// strings over several lines are blanked out, so that what was commented out is
// gone and what a test quotes is no code of its own. Go code that no run reaches
// is blanked out as well.
type source struct {
	path      string
	lines     []string
	force     []int      // checks in each line
	says      [][]string // what these check: assertions and cases, each behind its condition
	calls     [][]string // names that each line calls or hands over
	hands     [][]call   // calls that get the power to fail the test
	marks     []mark
	bounds    []bound          // numbers that conditions of checks hold values to
	readied   map[int][]string // by line: what is no check but of the place that a test runs in
	functions []function
}

// call is a call that hands over the power to fail the test.
type call struct{ name, text string }

// mark is what else can be told of a line.
type mark uint16

const (
	hollow   mark = 1 << iota // a check that cannot fail
	echo                      // a check that cannot fail as long as a function answers the same twice
	hiding                    // keeps the failure of a check from being seen
	leaving                   // ends the test, or the case, under a condition and without a check
	guarded                   // a check that only some environments make
	inverted                  // a check that is wanted to fail
	late                      // a check that nothing waits for
	shelved                   // a check in a function that nothing calls
)

// function is a function of a source with what stands directly above it
// (decorators, attributes) and below its head: lines[from:to].
type function struct {
	name     string
	src      *source
	from, to int
	head     int
	test     bool
	gone     bool // something else bears its name in the end
	tester   bool // it is no test, and gets a tester that it may fail
	answers  bool // it hands something back
	agrees   bool // it compares what it gets, and answers the same to everything
	compares bool // it answers whether what it gets is right
}

func (f function) lines() []string { return f.src.lines[f.from:f.to] }

// parse reads Go by its syntax. Elsewhere it finds functions by their
// indentation, which formatted code of every language in the table has.
func (l *language) parse(p string, content []byte) *source {
	s := &source{path: p, lines: strings.Split(strings.ReplaceAll(l.blank(string(content)), "\r\n", "\n"), "\n")}
	n := len(s.lines)
	s.force, s.says, s.calls, s.hands, s.marks = make([]int, n), make([][]string, n), make([][]string, n), make([][]call, n), make([]mark, n)
	if l.name != "Go" || !readGo(s, content) {
		s.readText(l)
	}
	for i, text := range s.lines {
		s.calls[i] = called(text)
	}
	return s
}

// readText finds tests and checks by the patterns of l.
func (s *source) readText(l *language) {
	tests, checks := 0, 0
	for i, text := range s.lines {
		s.readLine(l, i)
		checks += s.force[i]
		name, test := firstGroup(l.test, text), true
		f := function{src: s, head: i}
		if name != "" {
			f.from, f.to = s.above(i), s.below(i)
		}
		if name == "" || l.marks != nil && !f.marked(l.marks) {
			name, test = firstGroup(l.function, text), false
		}
		if name == "" {
			continue
		}
		f.from, f.to = s.above(i), s.below(i)
		f.name, f.test = name, test
		s.functions = append(s.functions, f)
		if test {
			tests++
		}
	}
	if tests == 0 && checks > 0 && isTestFile(s.path) {
		// Tests that are made in a loop, say: the file as a whole is the test.
		s.functions = append(s.functions, function{name: path.Base(s.path), src: s, to: len(s.lines), test: true})
	}
	s.shadow(l)
	for _, f := range s.functions {
		if f.test {
			s.markText(l, f)
		}
	}
	s.markEnclosed(l)
}

var condition = lazily(`^\s*(?:\} else )?if\b`)

// readLine says of a line what it checks, with the condition right above it.
func (s *source) readLine(l *language, i int) {
	text := s.lines[i]
	said := s.whole(l, i)
	if s.force[i] = l.checksIn(text, said); s.force[i] > 0 {
		if i > 0 && condition.MatchString(s.lines[i-1]) {
			said = strings.TrimSpace(s.lines[i-1]) + " " + said
		}
		s.says[i] = []string{said}
		return
	}
	for _, name := range l.is(hands).first(text) {
		s.hands[i] = append(s.hands[i], call{name, strings.TrimSpace(text)})
	}
}

// body is what stands below the head, and behind it where both are on one line.
func (f function) body() []string {
	_, behind, _ := strings.Cut(f.src.lines[f.head], "{")
	return append([]string{behind}, f.src.lines[min(f.head+1, f.to):f.to]...)
}

func (f function) marked(marks *lazyPattern) bool {
	for _, text := range f.src.lines[f.from : f.head+1] {
		if marks.MatchString(text) {
			return true
		}
	}
	return false
}

// above gives the first line of the decorators over the head at i. Lines that
// are indented deeper belong to them only if a decorator begins them.
func (s *source) above(i int) int {
	from, depth := i, indent(s.lines[i])
	for k := i - 1; k >= 0; k-- {
		text := strings.TrimSpace(s.lines[k])
		switch d := indent(s.lines[k]); {
		case text == "" || d < depth:
			return from
		case d == depth && (strings.HasPrefix(text, "@") || strings.HasPrefix(text, "#[")):
			from = k
		case d == depth && !closes(text):
			return from
		}
	}
	return from
}

// below gives the line after the body of the head at i.
func (s *source) below(i int) int {
	depth, last := indent(s.lines[i]), i
	for k := i + 1; k < len(s.lines); k++ {
		text := strings.TrimSpace(s.lines[k])
		if text == "" {
			continue
		}
		if d := indent(s.lines[k]); d < depth || d == depth && !closes(text) && text[0] != '{' {
			break
		}
		last = k
	}
	return last + 1
}

func closes(text string) bool { return strings.ContainsRune(")]}", rune(text[0])) }

func indent(text string) int { return len(text) - len(strings.TrimLeft(text, " \t")) }

func firstGroup(re *lazyPattern, text string) string {
	for i, group := range re.FindStringSubmatch(text) {
		if i > 0 && group != "" {
			return group
		}
	}
	return ""
}

// blank replaces comments and strings over several lines by spaces; lines keep
// their numbers. A string without an end is taken for something else.
func (l *language) blank(content string) string {
	out := []byte(content)
	for i := 0; i < len(content); {
		rest := content[i:]
		switch {
		case strings.HasPrefix(rest, "//go:build "): // a comment with force
			i += lineEnd(rest)
		case strings.HasPrefix(rest, l.comment):
			i = erase(out, i, i+lineEnd(rest))
		case l.comment == "//" && strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				n = len(rest) - 4
			}
			i = erase(out, i, i+n+4)
		default:
			i = l.blankString(out, content, i)
		}
	}
	return string(out)
}

// blankString passes the string that begins at i, or one byte.
func (l *language) blankString(out []byte, content string, i int) int {
	for _, quote := range l.raw {
		if !strings.HasPrefix(content[i:], quote) {
			continue
		}
		start := i + len(quote)
		n := strings.Index(content[start:], quote)
		if n < 0 {
			return start
		}
		if strings.Contains(content[start:start+n], "\n") {
			erase(out, start, start+n)
		}
		return start + n + len(quote)
	}
	if c := content[i]; c == '"' || c == '\'' {
		if n := quoted(content[i:]); n > 0 {
			return i + n
		}
	}
	return i + 1
}

// quoted is the length of the string on one line that text begins with, or 0.
func quoted(text string) int {
	for k := 1; k < len(text) && text[k] != '\n'; k++ {
		switch text[k] {
		case '\\':
			k++
		case text[0]:
			return k + 1
		}
	}
	return 0
}

func lineEnd(text string) int {
	if n := strings.IndexByte(text, '\n'); n >= 0 {
		return n
	}
	return len(text)
}

func erase(out []byte, from, to int) int {
	to = min(to, len(out))
	for i := from; i < to; i++ {
		if out[i] != '\n' && out[i] != '\r' {
			out[i] = ' '
		}
	}
	return to
}
