package roadmap

import (
	"bytes"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// roadmapScan walks over the lines of a roadmap and collects its features. It knows as much Markdown as it takes not
// to mistake an example for a feature: fences, comments and the front matter are passed over.
type roadmapScan struct {
	road   *Roadmap
	lines  []mdLine
	name   string   // of the feature that fields belong to: the heading, or a bold line
	groups []*group // open lists of fields, the outer ones first
	inList bool     // a bullet stood before, so that a deep indent is no code
}

// mdLine is a line without its end, and where it begins.
type mdLine struct {
	text string
	from int
}

var (
	headingLine = lazyregexp.New(`^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$`)
	ruleLine    = lazyregexp.New(`^ {0,3}(?:=+|-+|(?:[-*_][ \t]*){3,})[ \t]*$`)
	fenceLine   = lazyregexp.New("^[ \t]*(?:[-*+][ \t]+|[0-9]{1,9}[.)][ \t]+)?(`{3,}|~{3,})([^\r\n]*)$")
	boldLine    = lazyregexp.New(`^ {0,3}(?:\*\*|__)([^*_]+)(?:\*\*|__):?[ \t]*$`)
)

func scanRoadmap(text []byte) *Roadmap {
	s := &roadmapScan{road: &Roadmap{text: text, synced: span{-1, -1}}, lines: linesOf(text)}
	fence, comment := "", false
	for i := s.frontMatter(); i < len(s.lines); i++ {
		line := s.lines[i].text
		switch {
		case fence != "":
			if closes(line, fence) {
				fence = ""
			}
		case comment:
			comment = !strings.Contains(line, "-->")
		case opensFence(line, &fence), opensComment(line, &comment):
		default:
			i = s.line(i)
		}
	}
	s.close(0)
	return s.road
}

func linesOf(text []byte) []mdLine {
	var lines []mdLine
	from := 0
	if bytes.HasPrefix(text, []byte("\ufeff")) {
		from = len("\ufeff")
	}
	for line := range strings.Lines(string(text[from:])) {
		lines = append(lines, mdLine{strings.TrimRight(line, "\r\n"), from})
		from += len(line)
	}
	return lines
}

func opensFence(line string, fence *string) bool {
	m := fenceLine.FindStringSubmatch(line)
	if m == nil || m[1][0] == '`' && strings.Contains(m[2], "`") {
		return false
	}
	*fence = m[1]
	return true
}

func closes(line, fence string) bool {
	line = strings.TrimSpace(line)
	return len(line) >= len(fence) && strings.Trim(line, fence[:1]) == ""
}

// opensComment passes over comments that begin a line; one that does not end there hides the next lines.
func opensComment(line string, open *bool) bool {
	line = strings.TrimSpace(line)
	*open = strings.HasPrefix(line, "<!--") && !strings.Contains(line, "-->")
	return strings.HasPrefix(line, "<!--")
}

// line reads one line, or a whole table, and returns the last line that it read.
func (s *roadmapScan) line(i int) int {
	line := s.lines[i].text
	switch m := headingLine.FindStringSubmatch(line); {
	case m != nil:
		s.section(m[2])
	case strings.TrimSpace(line) == "" || strings.HasPrefix(strings.TrimSpace(line), ">"):
	case ruleLine.MatchString(line):
		s.rule(i)
	case s.isTable(i):
		s.close(0)
		return s.table(i)
	default:
		s.prose(s.lines[i], i+1)
	}
	return i
}

// section begins a feature: what follows belongs to it.
func (s *roadmapScan) section(name string) {
	s.close(0)
	s.name, s.inList = asRead(name), false
}

// rule is a line between features, or what makes a heading of the line above.
func (s *roadmapScan) rule(i int) {
	name := s.name
	if i > 0 && strings.TrimSpace(s.lines[i-1].text) != "" && !strings.HasPrefix(s.lines[i].text, "*") {
		if _, ok := readField(s.lines[i-1]); !ok {
			name = s.lines[i-1].text
		}
	}
	s.section(name)
}

// frontMatter passes over the front matter, keeps where it says when the file was synced last, and returns the line
// behind it.
func (s *roadmapScan) frontMatter() int {
	if len(s.lines) == 0 || strings.TrimRight(s.lines[0].text, " \t") != "---" {
		return 0
	}
	synced := span{-1, -1}
	for i, l := range s.lines[1:] {
		if strings.TrimRight(l.text, " \t") == "---" {
			s.road.synced = synced
			return i + 2
		}
		if value, ok := strings.CutPrefix(l.text, "last_synced:"); ok {
			to := l.from + len(strings.TrimRight(l.text, " \t"))
			synced = span{to - len(strings.TrimSpace(value)), to}
		}
	}
	return 0
}

var markup = strings.NewReplacer("**", "", "__", "", "`", "", `\|`, "|", `\_`, "_", `\*`, "*")

var linkText = lazyregexp.New(`\[([^\]]*)\]\([^)]*\)`)

// asRead is a heading or a cell as people read it.
func asRead(text string) string {
	return strings.TrimSpace(markup.Replace(linkText.ReplaceAllString(text, "$1")))
}
