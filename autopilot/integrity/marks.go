package integrity

import (
	"strings"
	"sync"
)

// markText marks the lines of a test that check nothing, hide a failure or leave
// early, as far as patterns can tell.
func (s *source) markText(l *language, f function) {
	values := sync.OnceValue(func() map[string]string { return bindings(f) })
	for i := f.head; i < f.to; i++ {
		s.marks[i] |= l.hollow(s.whole(l, i), values)
		if s.swallowed(l, f, i) {
			s.marks[i] |= hiding
		}
		if s.leaves(f, i) {
			s.marks[i] |= leaving
		}
	}
}

var binding = lazily(`^\s*(?:(?:const|let|var|val|final|auto|mut)\s+)*(?:[A-Za-z_][\w<>\[\]]*\s+)?([A-Za-z_]\w*)(?:\s*:\s*[\w<>\[\]&]+)?\s*:?=\s*([^=].*?);?\s*$`)

// bindings are the names in f that get a value once.
func bindings(f function) map[string]string {
	values, times := map[string]string{}, map[string]int{}
	for _, text := range f.lines() {
		if m := binding.FindStringSubmatch(text); m != nil {
			values[m[1]] = m[2]
			times[m[1]]++
		}
	}
	for name, n := range times {
		if n > 1 {
			delete(values, name)
		}
	}
	return values
}

// hollow tells whether an assertion is about constants, or compares a value with
// itself.
func (l *language) hollow(text string, values func() map[string]string) mark {
	for _, at := range l.is(argued).all(text) {
		left, right := sides(text[at[0]:at[1]], text[at[1]:])
		if left == "" {
			continue
		}
		value := resolve(left, values())
		switch {
		case value != resolve(right, values()):
		case calls(value):
			return echo
		default:
			return hollow
		}
	}
	if l.constants(text) > 0 || l.unfinished(text) || l.is(unheard).match(text) || l.is(argued).match(text) && always.MatchString(withoutStrings(text)) {
		return hollow
	}
	return 0
}

// always is an assertion that holds by its form: with "or True", or of a tuple in
// Python.
var always = lazily(`\bor True\b|\|\| ?(?:true|1)\b|^\s*assert \([^()]*(?:\([^()]*\)[^()]*)*, ""\)$`)

var (
	equality = lazily(`\s(?:===?|is)\s`)
	matcher  = lazily(`^\)?\.(?:to\.)?(?:\w+\.)*(?:toBe|toEqual|toStrictEqual|equal|equals|eql|deepEqual|isEqualTo|isSameAs)\(`)
	rspec    = lazily(`^\)\.to (?:eq|eql|equal|be)[ (]+`)
	carriers = setOf("t tb b self this")
)

// sides are the two values that an assertion compares: those around ==, the
// argument of expect and of its matcher, or the first two arguments.
func sides(head, rest string) (left, right string) {
	argument := strings.TrimRight(rest, "; ")
	if strings.HasSuffix(head, "(") {
		argument = untilClosed(rest)
		behind := rest[len(argument):]
		for _, re := range []*lazyPattern{matcher, rspec} {
			if m := re.FindString(behind); m != "" {
				if wanted := untilClosed(behind[len(m):] + ")"); wanted != "true" || !equality.MatchString(argument) {
					return argument, wanted
				}
			}
		}
	}
	if at := equality.FindAllStringIndex(argument, -1); len(at) == 1 {
		right, _, _ := strings.Cut(argument[at[0][1]:], ", \"")
		return argument[:at[0][0]], right
	}
	var parts []string
	for _, part := range topLevel(argument) {
		if !carriers.has(part) {
			parts = append(parts, part)
		}
	}
	if len(parts) < 2 || !strings.HasSuffix(head, "(") || strings.Contains(strings.ToLower(head), "not") {
		return "", ""
	}
	return parts[0], parts[1]
}

// topLevel splits a list of arguments.
func topLevel(text string) []string {
	var parts []string
	depth, from := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'', '`':
			i += max(0, quoted(text[i:])-1)
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, strings.TrimSpace(text[from:i]))
				from = i + 1
			}
		}
	}
	return append(parts, strings.TrimSpace(text[from:]))
}

// resolve writes names as their values, twice over at most, without space.
func resolve(text string, values map[string]string) string {
	for range 2 {
		text = word.ReplaceAllStringFunc(text, func(name string) string {
			if v, is := values[name]; is {
				return v
			}
			return name
		})
	}
	return strings.Join(strings.Fields(strings.Trim(text, "&")), "")
}

// swallowed tells whether line i hides the failure of a check: on the line itself,
// in the block behind it, or between it and its try.
func (s *source) swallowed(l *language, f function, i int) bool {
	text := s.lines[i]
	if i+1 < f.to {
		text += "\n" + s.lines[i+1]
	}
	if !l.is(swallows).possible(text) {
		return false
	}
	text = withoutStrings(text)
	if at := l.is(swallows).index(text); at < 0 || at > len(withoutStrings(s.lines[i])) {
		return false
	}
	if s.force[i] > 0 || sum(s.force[i:min(s.below(i), f.to)]) > 0 && !strings.Contains(text, "catch ") {
		return true
	}
	for k := i - 1; k > f.head; k-- {
		head := strings.TrimSpace(s.lines[k])
		if indent(s.lines[k]) == indent(s.lines[i]) && (strings.HasPrefix(head, "try") || strings.HasPrefix(head, "begin") || strings.HasPrefix(head, "await ") || strings.HasPrefix(head, "return ")) {
			return sum(s.force[k:i]) > 0
		}
	}
	return false
}

func sum(numbers []int) int {
	n := 0
	for _, x := range numbers {
		n += x
	}
	return n
}

var leave = lazily(`^\s*(?:return|continue)(?: (?:None|nil|null|undefined|Ok\(\(\)\)))?;?\s*$`)

// leaves tells whether line i is a return in a block of one line, in the body of
// the test itself.
func (s *source) leaves(f function, i int) bool {
	if i < f.head+2 || !strings.Contains(s.lines[i], "return") && !strings.Contains(s.lines[i], "continue") || !leave.MatchString(s.lines[i]) || !condition.MatchString(s.lines[i-1]) {
		return false
	}
	return indent(s.lines[i-1]) == indent(s.lines[f.head+1])
}

var inQuotes = lazily("\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`[^`]*`")

// withoutStrings empties the strings of a line.
func withoutStrings(text string) string { return inQuotes.ReplaceAllString(text, `""`) }
