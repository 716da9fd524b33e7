package results

import (
	"slices"
	"strings"
)

func words(list string) []string { return strings.Fields(list) }

// splitFlags takes apart flags, with their values, and the rest; from the word last on, everything is tail.
func splitFlags(list segment, values, dropped []string, last string) (flags, rest, tail segment) {
	for i := 0; i < len(list); i++ {
		w := list[i]
		name, _, given := strings.Cut(strings.TrimLeft(bare(w), "-"), "=")
		switch {
		case bare(w) == last:
			return flags, rest, list[i:]
		case !strings.HasPrefix(w, "-") || w == "-":
			rest = append(rest, w)
			continue
		}
		words := segment{w}
		if !given && slices.Contains(values, name) && i+1 < len(list) {
			i++
			words = append(words, list[i])
		}
		if !slices.Contains(dropped, name) {
			flags = append(flags, words...)
		}
	}
	return flags, rest, nil
}

// pruned leaves out flags, with their values, and what stands beside flags and drop wants to go. The order stays: a
// flag that nobody here knows may have a value, too.
func pruned(list segment, values, dropped []string, drop func(word string) bool) segment {
	var kept segment
	for i := 0; i < len(list); i++ {
		w := list[i]
		name, _, given := strings.Cut(strings.TrimLeft(bare(w), "-"), "=")
		isFlag := strings.HasPrefix(w, "-")
		n := 1
		if isFlag && !given && slices.Contains(values, name) && i+1 < len(list) && !strings.HasPrefix(list[i+1], "-") {
			n = 2
		}
		if isFlag && !slices.Contains(dropped, name) || !isFlag && !drop(w) {
			kept = append(kept, list[i:i+n]...)
		}
		i += n - 1
	}
	return kept
}
