package agent

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/shell"
	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

// edit is a turn's change of one file.
type edit struct {
	turn    int
	at      time.Time
	written []string // lines that it put in
	places  []string // what stood there before
	again   bool     // it changed what an earlier edit had put in, or stands where one did
	apart   bool     // another file was edited since
}

// changes says whether a tool changes files.
func changes(tool string) bool {
	return tool == "write_file" || tool == "edit_file" || tool == "apply_patch"
}

// edited notes the files that a call changed.
func (l *loops) edited(turn int, call personas.Call) {
	if !changes(call.Name) {
		return
	}
	for _, e := range changesOf(call) {
		name := path.Clean(e.path)
		l.parted(name)
		before := l.edits[name]
		again := e.whole && len(before) > 0
		for _, b := range before {
			again = again || share(b.written, e.out) || share(b.places, e.places)
		}
		if n := len(before); n > 0 && before[n-1].turn == turn {
			before[n-1].written, before[n-1].places = append(before[n-1].written, e.in...), append(before[n-1].places, e.places...)
			continue
		}
		l.most.edits = max(l.most.edits, len(before)+1)
		l.edits[name] = append(before, edit{turn: turn, at: l.time(), written: e.in, places: e.places, again: again})
	}
}

// parted notes of all other files that their edits do not follow on each other.
func (l *loops) parted(name string) {
	for other, edits := range l.edits {
		for i := range edits {
			edits[i].apart = edits[i].apart || other != name
		}
	}
}

func share(lines, others []string) bool {
	return slices.ContainsFunc(lines, func(line string) bool { return slices.Contains(others, line) })
}

func (l *loops) time() time.Time {
	if l.now == nil {
		return time.Time{}
	}
	return l.now()
}

// reworked looks for a file that is edited again and again without a check that
// passes in between. Advice counts every edit. For the end, at twice as many,
// those count whole that come back to a place; edits of further places, which a
// long change of a long file has many of, count half, and no longer once another
// file was edited after them.
func (l *loops) reworked() circle {
	c := circle{kind: "edits"}
	for _, name := range slices.Sorted(maps.Keys(l.edits)) {
		recent := slices.DeleteFunc(l.edits[name], func(e edit) bool { return l.time().Sub(e.at) > editWindow })
		l.edits[name] = recent
		halves, first := 0, 1 // an edit that others come back to counts whole
		for _, e := range recent {
			switch {
			case e.again:
				halves, first = halves+2+first, 0
			case !e.apart:
				halves++
			}
		}
		if len(recent) > fileEdits && !c.end {
			c.warn, c.end = true, halves > 2*2*fileEdits
			c.evidence = fmt.Sprintf("%s was edited %d times within %d minutes, and no check passed in between", name, len(recent), int(editWindow.Minutes()))
		}
	}
	return c
}

// fileChange is what a call does to one file: the lines that it puts in and
// takes out.
type fileChange struct {
	path    string
	whole   bool
	in, out []string
	places  []string // the texts that it replaced
}

func changesOf(call personas.Call) []fileChange {
	var a struct{ Path, Old, New, Patch string }
	if json.Unmarshal([]byte(call.Arguments), &a) != nil {
		return nil
	}
	switch call.Name {
	case "write_file":
		return []fileChange{{path: a.Path, whole: true}}
	case "edit_file":
		before, after := saying(a.Old), saying(a.New)
		return []fileChange{{path: a.Path, in: without(after, before), out: without(before, after), places: spot(before)}}
	}
	files, err := toolbox.ParsePatch(nil, a.Patch)
	if err != nil || call.Name != "apply_patch" {
		return nil
	}
	var out []fileChange
	for _, f := range files {
		change := fileChange{path: f.Path}
		for _, h := range f.Hunks {
			before, after := saying(strings.Join(h.Old, "\n")), saying(strings.Join(h.New, "\n"))
			change.in, change.out = append(change.in, without(after, before)...), append(change.out, without(before, after)...)
			change.places = append(change.places, spot(before)...)
		}
		out = append(out, change)
	}
	return out
}

// spot is what an edit replaced as one text; nothing where that says nothing.
func spot(lines []string) []string {
	if len(lines) == 0 {
		return nil
	}
	return []string{strings.Join(lines, "\n")}
}

// saying are the lines of a text that say something: not blank, not a bracket.
func saying(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); strings.ContainsFunc(line, toolbox.InWord) {
			out = append(out, line)
		}
	}
	return out
}

func without(lines, others []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return slices.Contains(others, line) })
}

// looking are commands that show something and judge nothing.
var looking = []string{
	"cat", "cd", "ls", "head", "tail", "grep", "rg", "sed", "awk", "find", "echo", "printf", "pwd", "wc", "git", "tree", "stat",
	"file", "sort", "uniq", "cut", "which", "env", "true", "mkdir", "cp", "mv", "rm", "touch", "sleep", "export",
}

// isCheck says whether a command line runs something whose exit code judges the work.
func isCheck(arguments string) bool {
	var a toolbox.CommandArgs
	if json.Unmarshal([]byte(arguments), &a) != nil {
		return false
	}
	for _, words := range shell.Commands(a.Command) {
		if !slices.Contains(looking, path.Base(words[0])) {
			return true
		}
	}
	return false
}
