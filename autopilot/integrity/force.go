package integrity

import (
	"slices"
	"strings"
)

// row is a case of a table, which is a check as much as an assertion is.
var row = lazily(`^\s*(?:"[^"]*":\s*|'[^']*':\s*)?[{(\[].*[,:].*[})\]],?\s*$|^\s*#\[(?:case|test_case)\(`)

// checksIn counts what can fail in a line: assertions that depend on something,
// and cases, of which a line of texts may hold several. Whole is the statement that
// the line begins.
func (l *language) checksIn(text, whole string) int {
	if found := l.is(asserts).all(text); len(found) > 0 {
		n := len(found) - l.constants(whole)
		if l.unfinished(whole) || l.is(unheard).match(whole) {
			n--
		}
		return max(0, n)
	}
	if l.is(listing).match(text) {
		return len(inQuotes.FindAllString(text, -1))
	}
	if row.MatchString(text) {
		return 1
	}
	return 0
}

// fixed are the words that an assertion can hold and still depend on nothing.
var fixed = []string{
	"true", "false", "nil", "null", "undefined", "True", "False", "None", "t", "tb", "b", "self", "this",
	"not", "and", "or", "is", "in",
}

// constants counts the assertions of text whose arguments are all fixed, such
// as assert True and expect(1).
func (l *language) constants(text string) int {
	n := 0
	for _, at := range l.is(argued).all(text) {
		argument := text[at[1]:]
		switch {
		case text[at[1]-1] == '(':
			argument = untilClosed(argument)
		case untilClosed(argument+")") == "":
			continue // it goes on in the next line
		}
		if strings.TrimSpace(argument) == "" {
			continue
		}
		if isFixed(argument) {
			n++
		}
	}
	return n
}

func isFixed(argument string) bool {
	for from, to := range names(argument) {
		if !slices.Contains(fixed, argument[from:to]) {
			return false
		}
	}
	return true
}

// untilClosed is empty when the argument goes on in the next line.
func untilClosed(text string) string {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'', '`':
			i += max(0, quoted(text[i:])-1)
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return text[:i]
			}
		}
	}
	return ""
}

var (
	literal = lazily("\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`[^`]*`|\\b\\d[\\w.]*")
	word    = lazily(`[A-Za-z_]\w*`)
	message = lazily(`[ %]`)
)

// stock words stand in most tests and tell nothing about one.
var stock = setOf(`t tb b f if err error nil true false got want expected actual result res out in is not and or None True
	False null undefined self this return for range func def assert assertEqual assertTrue assertFalse require expect toBe toEqual
	Equal NoError Error Errorf Fatal Fatalf Fail FailNow fail len string int var let const fn assert_eq assert_ne unwrap equal tc tt test
	ok equal strictEqual deepEqual deepStrictEqual toStrictEqual toBeTruthy isTrue isOk same calledWith called assertEquals assertThat
	isEqualTo assertSame isNotNull is anything any ANY Ok Some matches equalTo anything
	toBeCloseTo closeTo approximately approx assertAlmostEqual isCloseTo`)

// tokens are the literals of a line and the words that tell something. Texts
// for people (with spaces or verbs) are neither.
func tokens(text string) (literals, words []string) {
	for _, s := range literal.FindAllString(text, -1) {
		if !message.MatchString(s) {
			literals = append(literals, s)
		}
	}
	for from, to := range names(text) {
		if w := text[from:to]; !stock.has(w) {
			words = append(words, w)
		}
	}
	return literals, words
}

// pool is the vocabulary of the tests that a change brought.
type pool map[string]bool

func (p pool) add(lines []string) {
	for _, text := range lines {
		literals, words := tokens(text)
		for _, s := range append(literals, words...) {
			p[s] = true
		}
		for _, s := range inQuotes.FindAllString(text, -1) {
			for _, value := range literal.FindAllString(strings.Trim(s, "\"'`"), -1) {
				p[value] = true // of "1, 2, 3", a case in one text
			}
		}
	}
}

// addWords adds words without the values beside them.
func (p pool) addWords(lines []string) {
	for _, text := range lines {
		_, words := tokens(text)
		for _, s := range words {
			p[s] = true
		}
	}
}

// Shares from which a check counts as found again elsewhere: names are changed
// in honest refactoring, values are not.
const (
	enoughWords  = 0.6
	enoughChecks = 0.6
)

// covers tells whether the values of a line and most of its words are there.
func (p pool) covers(text string) bool {
	literals, words := tokens(text)
	known := 0
	for _, w := range words {
		if p[w] {
			known++
		}
	}
	return p.hasValues(literals) && float64(known) >= enoughWords*float64(len(words))
}

// hasValues tells whether each of literals is here, or in another pool.
func (p pool) hasValues(literals []string, others ...pool) bool {
	return !slices.ContainsFunc(literals, func(s string) bool {
		return !p[s] && !slices.ContainsFunc(others, func(other pool) bool { return other[s] })
	})
}

// accounts tells whether most checks of a test that is gone are found again.
func (p pool) accounts(checks []string) bool {
	told, covered := 0, 0
	for _, text := range checks {
		literals, words := tokens(text)
		if len(literals)+len(words) == 0 {
			continue
		}
		told++
		if p.covers(text) {
			covered++
		}
	}
	return told == 0 || float64(covered) >= enoughChecks*float64(told)
}
