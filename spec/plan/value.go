package plan

import (
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// valueOf is the value at the start of a text: to the end of the line, or on
// while the value does, and to a bar, which sets off the next field.
func valueOf(text, key string) string {
	size, quotes, last := 0, 0, ""
	for line := range strings.Lines(text) {
		if size > 0 && quotes%2 == 0 && !goesOn(last, line, key) {
			break
		}
		size += len(line)
		quotes += strings.Count(line, "`")
		last = line
	}
	value := text[:size]
	if key != "options" {
		value = value[:barAt(value)]
	}
	return strings.TrimSpace(strings.TrimRight(value, "| \t\n"))
}

var (
	// unfinished is a line that more has to follow, further one that follows such.
	unfinished = lazyregexp.New(`(?i)(?:;|&&|\s(?:and|then|\+))\s*$`)
	further    = lazyregexp.New("(?i)^\\s*(?:[,;`]|&&|(?:and|then)\\b)")
	// furtherTask is what further is where tasks are listed.
	furtherTask = lazyregexp.New(`(?i)^\s*(?:[,;&]|(?:and|then|tasks?)\b|#?\d)`)
	// itsOwn is a line of a paragraph that begins something else: another field, a check box, a checkpoint, an item.
	itsOwn = lazyregexp.New("(?i)^\\s*(?:\\*\\*[^*]+(?::\\*\\*|\\*\\*\\s*:)|`?\\[(?:[ x]\\]|checkpoint)|\\d+[.)][ \\t]+\\S)")
)

// goesOn says whether a value goes on from its last line so far to the next one of
// the paragraph. Of what is owed nothing may be lost.
func goesOn(last, line, key string) bool {
	tokens, _ := tokenise(last)
	switch {
	case itsOwn.MatchString(line):
		return false
	case strings.HasSuffix(strings.TrimSpace(last), ","):
		return true
	case !owed(key) || (field{tokens: tokens}).isNone():
		return false
	case key == "depends on":
		return unfinished.MatchString(last) || furtherTask.MatchString(line)
	}
	return unfinished.MatchString(last) || further.MatchString(line)
}

// barAt is the offset of the first bar outside back-quotes, or the length.
func barAt(text string) int {
	code := false
	for i, c := range text {
		if c == '`' {
			code = !code
		}
		if c == '|' && !code {
			return i
		}
	}
	return len(text)
}
