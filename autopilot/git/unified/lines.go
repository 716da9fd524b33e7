// Package unified reads diffs as git writes them, line by line.
//
// It is for those who point at a line: a finding, a comment. It applies nothing.
package unified

import (
	"strconv"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// Kind is what a line of a diff is.
type Kind string

// The kinds.
const (
	File    Kind = "file" // diff --git a/old b/new: the first line of a file
	Head    Kind = "head" // what follows until its first hunk
	Hunk    Kind = "hunk" // @@ -1,4 +1,6 @@
	Same    Kind = "same"
	Added   Kind = "added"
	Removed Kind = "removed"
)

// Line is a line of a diff.
type Line struct {
	Kind Kind
	Text string // without its end, with the sign
	Path string // of its file after the change, or before it where it is gone
	Old  int    // 1-based number in the file before; 0: it is not there
	New  int    // and after
}

var hunkHead = lazyregexp.New(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// Lines reads a diff. What is none is given as lines of heads.
func Lines(diff string) []Line {
	var r reader
	var lines []Line
	first := 0 // of the file at hand
	for text := range strings.Lines(diff) {
		line := r.take(strings.TrimRight(text, "\r\n"))
		if line.Kind == File {
			first = len(lines)
		}
		lines = append(lines, line)
		if line.Kind == Head {
			for i := first; i < len(lines); i++ {
				lines[i].Path = r.path
			}
		}
	}
	return lines
}

// reader knows where in a diff it is.
type reader struct {
	path             string
	old, new         int // numbers of the next lines
	oldLeft, newLeft int // lines that the hunk has still
}

func (r *reader) take(text string) Line {
	switch {
	case r.oldLeft > 0 || r.newLeft > 0:
		return r.inHunk(text)
	case strings.HasPrefix(text, "diff --git "):
		r.path = ""
		return Line{Kind: File, Text: text}
	}
	if m := hunkHead.FindStringSubmatch(text); m != nil {
		r.old, r.oldLeft, r.new, r.newLeft = number(m[1]), count(m[2]), number(m[3]), count(m[4])
		return Line{Kind: Hunk, Text: text, Path: r.path}
	}
	for _, side := range []string{"--- ", "+++ "} {
		if name, found := strings.CutPrefix(text, side); found && name != "/dev/null" {
			r.path = pathOf(name)
		}
	}
	return Line{Kind: Head, Text: text, Path: r.path}
}

func (r *reader) inHunk(text string) Line {
	line := Line{Kind: Same, Text: text, Path: r.path}
	switch {
	case strings.HasPrefix(text, "+"):
		line.Kind, line.New = Added, r.new
	case strings.HasPrefix(text, "-"):
		line.Kind, line.Old = Removed, r.old
	case strings.HasPrefix(text, `\`): // No newline at end of file
		line.Kind = Head
		return line
	default:
		line.Old, line.New = r.old, r.new
	}
	if line.Old > 0 {
		r.old, r.oldLeft = r.old+1, r.oldLeft-1
	}
	if line.New > 0 {
		r.new, r.newLeft = r.new+1, r.newLeft-1
	}
	return line
}

// pathOf is the path that a side of a diff names: a/limit.go, or in quotes "a/gr\303\274n.go".
func pathOf(name string) string {
	name = strings.TrimSuffix(name, "\t") // git ends a name that has a space so
	if plain, err := strconv.Unquote(name); err == nil {
		name = plain
	}
	_, path, _ := strings.Cut(name, "/")
	return path
}

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// count is how many lines a hunk has; none written means one.
func count(text string) int {
	if text == "" {
		return 1
	}
	return number(text)
}
