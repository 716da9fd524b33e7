package plan

import (
	"strings"
	"unicode"

	"autopilot/autopilot/lazyregexp"
	"autopilot/spec/markdown"
)

// numbers are the parts of a "Depends on" value: "Task 1, Task 2 (schema)" gives
// 1 and 2. What is no number is kept, to be refused by name.
func (f field) numbers() []string {
	if f.isNone() {
		return nil
	}
	text := openRange.ReplaceAllString(f.text(), "$1 ")
	text = markdown.Collapse(taskBelow.ReplaceAllString(text, " , $1"))
	text = withoutAsides(taskAside.ReplaceAllString(text, ", $1$2"))
	text = strings.NewReplacer(" and ", ",", " & ", ",", ";", ",", "+", ",").Replace(text)
	var all []string
	for part := range strings.SplitSeq(text, ",") {
		part = strings.Trim(part, " .*_#")
		if part != "" {
			all = append(all, numberIn(part))
		}
	}
	return all
}

var (
	// openRange is a range that goes on in the next line, taskBelow a task at the start of one.
	openRange = lazyregexp.New(`([–—-])\s*\n`)
	taskBelow = lazyregexp.New(`\s*\n\s*((?i:tasks?\b)|#?\d)`)
	// taskAside is an aside that begins with a task, and is none: "(and Task 2)".
	taskAside = lazyregexp.New(`\(\s*(?:(?i:(?:and|also|plus|or)\s+|[&+]\s*)((?i:tasks?\s+)?#?[A-Z]?\d[^()]*)|((?i:tasks?\s+)#?[A-Z]?\d[^()]*))\)?`)
	// another is a task where a title was to be, and thus unclear: "Task 1 -> Task 2", "1. 2".
	another = lazyregexp.New(`^[\s>]*(?:(?i:(?:and\s+)?tasks?\s+)#?[A-Z]?\d|#?[A-Z]?\d+(?:\W*$|\s+[–—>-]))`)
)

// withoutAsides drops what stands in parentheses behind a space, commas and all.
// Other parentheses belong to a path.
func withoutAsides(text string) string {
	var b strings.Builder
	depth, last := 0, ' '
	for _, c := range text {
		if c == '(' && (depth > 0 || unicode.IsSpace(last)) {
			depth++
		}
		if depth == 0 {
			b.WriteRune(c)
		}
		if c == ')' && depth > 0 {
			depth--
		}
		last = c
	}
	return b.String()
}

// numberIn is the number of "Task 1", "Tasks 1-3", "Task 1 – Task 3", "1" or "Task 1: Title".
func numberIn(part string) string {
	rest, _ := cutTask(part)
	id, behind := markdown.CutID(rest)
	if last := lastIn(behind, id); last != "" {
		return id + "-" + last
	}
	if id == "" || !onlyTitle(behind) {
		return part
	}
	return id
}

// cutTask drops the word before a number.
func cutTask(part string) (rest string, found bool) {
	for _, word := range []string{"tasks", "task"} {
		if len(part) > len(word) && strings.EqualFold(part[:len(word)], word) {
			return strings.TrimLeft(part[len(word):], " #"), true
		}
	}
	return part, false
}

// lastIn is the last number of a range whose first one stands before the text: " - 3", "-Task 3". A letter alone is
// none behind a digit: it may be a title.
func lastIn(text, first string) string {
	rest := strings.TrimLeft(text, " –—-")
	dash := strings.TrimSpace(text[:len(text)-len(rest)])
	rest, named := cutTask(strings.TrimLeft(rest, "#"))
	last, behind := markdown.CutID(rest)
	if dash == "" || first == "" || !onlyTitle(behind) || !named && hasDigit(first) && !hasDigit(last) {
		return ""
	}
	return last
}

func hasDigit(id string) bool { return strings.ContainsAny(id, "0123456789") }

// onlyTitle says whether nothing but a title stands behind a number.
func onlyTitle(behind string) bool {
	mark := markdown.Separator.FindString(behind)
	return strings.TrimSpace(behind) == "" || mark != "" && !another.MatchString(behind[len(mark):])
}
