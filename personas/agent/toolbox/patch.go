package toolbox

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/personas"
)

// filePatch is what a patch does to one file.
type filePatch struct {
	Path, to string // to: where it is moved; "" stays
	What     patchKind
	Hunks    []hunk
}

type patchKind int

const (
	PatchUpdate patchKind = iota
	patchAdd
	patchDelete
)

// hunk is a place to change: the lines that stand there, and those that come
// in their stead.
type hunk struct {
	near     int    // line number as a unified diff has it, from 1; 0: not given
	anchor   string // a line that stands above the place; "" none
	Old, New []string
	blanks   int // lines at its end that were left quite empty
	mask     *personas.Mask
}

// ParsePatch reads both forms that models write: a unified diff, and sections
// that begin with "*** Update File:" and the like. Where they are mixed, each
// line is taken for what it looks like.
func ParsePatch(m *personas.Mask, text string) ([]filePatch, error) {
	p := &patchParser{mask: m}
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n")
	if last := len(lines) - 1; strings.HasPrefix(lines[0], "```") && strings.HasPrefix(lines[last], "```") {
		lines = lines[1:max(last, 1)]
	}
	for i := 0; i < len(lines); i++ {
		if i+1 < len(lines) && strings.HasPrefix(lines[i], "--- ") && strings.HasPrefix(lines[i+1], "+++ ") {
			p.unified(lines[i][4:], lines[i+1][4:])
			i++
			continue
		}
		if err := p.line(lines[i]); err != nil {
			return nil, fmt.Errorf("line %d of the patch: %w", i+1, err)
		}
	}
	if len(p.files) == 0 {
		return nil, errors.New(`the patch names no file; begin with "*** Update File: PATH", "*** Add File: PATH" or "*** Delete File: PATH", or give a unified diff`)
	}
	return p.files, nil
}

type patchParser struct {
	mask   *personas.Mask // of what an error quotes
	files  []filePatch
	inHunk bool
	inHead bool // of a file in git's diff
	rename bool // the last file is one that the head renames
}

func (p *patchParser) begin(f filePatch) {
	if p.rename { // these are its changes
		p.files = p.files[:len(p.files)-1]
	}
	p.files, p.inHunk, p.inHead, p.rename = append(p.files, f), f.What == patchAdd, false, false
	if p.inHunk {
		p.files[len(p.files)-1].Hunks = []hunk{{mask: p.mask}}
	}
}

// unified takes the two header lines of a file in a unified diff.
func (p *patchParser) unified(from, to string) {
	name := func(s, side string) string {
		s, _, _ = strings.Cut(s, "\t")
		return strings.TrimPrefix(strings.TrimSpace(s), side)
	}
	f := filePatch{Path: name(from, "a/"), to: name(to, "b/")}
	switch {
	case f.Path == "/dev/null":
		f = filePatch{Path: f.to, What: patchAdd}
	case f.to == "/dev/null":
		f = filePatch{Path: f.Path, What: patchDelete}
	case f.to == f.Path:
		f.to = ""
	}
	p.begin(f)
}

var marks = []struct {
	mark string
	what patchKind
}{{"*** Update File: ", PatchUpdate}, {"*** Add File: ", patchAdd}, {"*** Delete File: ", patchDelete}}

var hunkHead = lazyregexp.New(`^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@`)

func (p *patchParser) line(line string) error {
	for _, s := range marks {
		if path, ok := strings.CutPrefix(line, s.mark); ok {
			p.begin(filePatch{Path: strings.TrimSpace(path), What: s.what})
			return nil
		}
	}
	if strings.HasPrefix(line, "diff --git ") {
		p.inHunk, p.inHead, p.rename = false, true, false
		return nil
	}
	if from, ok := strings.CutPrefix(line, "rename from "); ok && p.inHead {
		p.begin(filePatch{Path: strings.TrimSpace(from)})
		p.inHead = true
		return nil
	}
	if len(p.files) == 0 {
		return nil // what stands before a file says nothing
	}
	f := &p.files[len(p.files)-1]
	switch {
	case p.inHead && strings.HasPrefix(line, "rename to "):
		f.to, p.rename = strings.TrimSpace(line[len("rename to "):]), true
	case strings.HasPrefix(line, "*** Move to: "):
		f.to = strings.TrimSpace(line[len("*** Move to: "):])
	case strings.HasPrefix(line, "*** "), strings.HasPrefix(line, `\ `):
	case strings.HasPrefix(line, "@@"):
		p.hunk(f, line)
	case f.What == patchDelete, !p.inHunk && !isHunkLine(line):
	default:
		return p.body(f, line)
	}
	return nil
}

func isHunkLine(line string) bool {
	return line != "" && strings.ContainsRune(" +-", rune(line[0]))
}

func (p *patchParser) hunk(f *filePatch, line string) {
	p.inHunk = true
	if f.What == patchAdd {
		return // all of a new file is one
	}
	h := hunk{mask: p.mask}
	if m := hunkHead.FindStringSubmatch(line); m != nil {
		h.near, _ = strconv.Atoi(m[1]) // a number too long for an int is no place
	} else {
		h.anchor = strings.TrimSpace(strings.Trim(line, "@"))
	}
	f.Hunks = append(f.Hunks, h)
}

func (p *patchParser) body(f *filePatch, line string) error {
	if len(f.Hunks) == 0 {
		f.Hunks, p.inHunk = append(f.Hunks, hunk{mask: p.mask}), true
	}
	h := &f.Hunks[len(f.Hunks)-1]
	if line == "" { // models leave the blank of an empty line out
		h.Old, h.New, h.blanks = append(h.Old, ""), append(h.New, ""), h.blanks+1
		return nil
	}
	h.blanks = 0
	switch line[0] {
	case ' ':
		h.Old, h.New = append(h.Old, line[1:]), append(h.New, line[1:])
	case '-':
		h.Old = append(h.Old, line[1:])
	case '+':
		h.New = append(h.New, line[1:])
	default:
		return fmt.Errorf("%q begins with none of blank, - and +", Cut(p.mask, line, 80))
	}
	return nil
}
