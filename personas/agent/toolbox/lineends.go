package toolbox

import (
	"slices"
	"strings"
)

// parted gives a text with \n alone, and of each line whether it ends in \r\n.
// What stands behind the last line end counts as one that ends like the line
// before, so that there is one more of them than of line ends.
func parted(text string) (plain string, ends []bool) {
	last := false
	for line := range strings.Lines(text) {
		if strings.HasSuffix(line, "\n") {
			last = strings.HasSuffix(line, "\r\n")
			ends = append(ends, last)
		}
	}
	return strings.ReplaceAll(text, "\r\n", "\n"), append(ends, last)
}

// joined is the reverse of parted.
func joined(plain string, ends []bool) string {
	var out strings.Builder
	i := 0
	for line := range strings.Lines(plain) {
		body, ended := strings.CutSuffix(line, "\n")
		out.WriteString(body)
		switch {
		case ended && ends[i]:
			out.WriteString("\r\n")
		case ended:
			out.WriteString("\n")
		}
		i++
	}
	return out.String()
}

// swapped replaces each occurrence in a parted text. A new line ends as the old
// one in its place, and a further one as the last of them.
func swapped(plain string, ends []bool, before, after string) string {
	old, added := strings.Count(before, "\n"), strings.Count(after, "\n")
	var out strings.Builder
	var kept []bool
	for {
		head, rest, found := strings.Cut(plain, before)
		out.WriteString(head)
		n := strings.Count(head, "\n")
		kept, ends = append(kept, ends[:n]...), ends[n:]
		if !found {
			return joined(out.String(), append(kept, ends...))
		}
		out.WriteString(after)
		for i := range added {
			kept = append(kept, ends[min(i, max(old-1, 0))])
		}
		ends, plain = ends[old:], rest
	}
}

// ends says how the new lines of a hunk end whose old ones stand at a place: a
// line that stays ends as it did, another as the one that it stands for.
func (h hunk) ends(of []bool, at int) []bool {
	if len(h.Old) == 0 { // as the line above
		return slices.Repeat(of[max(at-1, 0):max(at, 1)], len(h.New))
	}
	there, from := of[at:at+len(h.Old)], 0
	var out []bool
	for _, line := range h.New {
		if i := slices.Index(h.Old[from:], line); i >= 0 {
			from += i + 1
			out = append(out, there[from-1])
			continue
		}
		out = append(out, there[min(from, len(there)-1)])
	}
	return out
}
