package spec

import (
	"slices"

	"autopilot/autopilot/lazyregexp"
)

// ownWord finds what OwnWords lists, each in a group.
var ownWord = lazyregexp.New("`([^`\n]{2,60})`" + `|"([^"\n]{2,60})"|“([^”\n]{2,60})”` +
	`|\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b` +
	`|(?:^|[\s(,/[])(--[a-z][\w-]+)` +
	`|([\w./-]*[\w-]{2}\.[a-z][a-z0-9]{0,4})\b` +
	`|\b(\d[\d.,_]*\s?(?:%|(?:ms|s|seconds?|minutes?|hours?|days?|[KMGT]i?B|kB|bytes?|characters?|lines?|px)\b))`)

// OwnWords lists what a text names in so many words, each once, in its order: code in backquotes and quoted strings, names in
// capitals such as MAX_SIZE, flags, file names, and numbers with units.
func OwnWords(text string) (words []string) {
	for _, groups := range ownWord.FindAllStringSubmatch(text, -1) {
		word := groups[1+slices.IndexFunc(groups[1:], func(g string) bool { return g != "" })]
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}
