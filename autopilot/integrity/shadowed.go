package integrity

import "strings"

// nameIn is a name in the block that a line heads; -1 is the file.
type nameIn struct {
	block int
	name  string
}

// shadow takes the mark of a test from functions whose name means something else
// by the end of the file, or nothing: only what bears the name is run.
func (s *source) shadow(l *language) {
	if l.is(rebinds) == nil {
		return
	}
	heads := map[nameIn]int{} // the line that a name is defined in
	blocks := s.blocks()
	for k, text := range s.lines {
		for _, name := range l.is(rebinds).first(text) {
			if _, behind, is := strings.Cut(text, "="); is && strings.Contains(behind, name) {
				continue // a decorator that is called by hand
			}
			at := nameIn{blocks[k], name}
			if class, own, dotted := strings.Cut(name, "."); dotted {
				head, is := heads[nameIn{blocks[k], class}]
				if !is {
					continue
				}
				at = nameIn{head, own}
			}
			if head, is := heads[at]; is {
				s.unmark(head)
				delete(heads, at)
			}
			if defines(text) {
				heads[at] = k
			}
		}
	}
}

func defines(text string) bool {
	text = strings.TrimPrefix(strings.TrimSpace(text), "async ")
	return strings.HasPrefix(text, "def ") || strings.HasPrefix(text, "class ")
}

// unmark says of the test at head, or of all tests of a class, that they are gone.
func (s *source) unmark(head int) {
	end := s.below(head)
	for i := range s.functions {
		if f := &s.functions[i]; f.test && f.head >= head && f.head < end {
			f.test, f.gone = false, true
		}
	}
}

// blocks gives for each line the one that heads the block it stands in, or -1.
func (s *source) blocks() []int {
	found := make([]int, len(s.lines))
	var open []int
	for i, text := range s.lines {
		if strings.TrimSpace(text) != "" {
			for len(open) > 0 && indent(s.lines[open[len(open)-1]]) >= indent(text) {
				open = open[:len(open)-1]
			}
		}
		found[i] = -1
		if len(open) > 0 {
			found[i] = open[len(open)-1]
		}
		if strings.TrimSpace(text) != "" {
			open = append(open, i)
		}
	}
	return found
}
