package integrity

import (
	"regexp/syntax"
	"strings"
	"sync"
)

// expression is a pattern with texts of which each match holds at least one. To
// look for these first makes a diff of a thousand files cheap to read: most
// lines hold none, and the pattern itself is slow.
type expression struct {
	re    *lazyPattern
	needs func() []string // nil where no such texts are known
}

func compileExpression(text string) *expression {
	return &expression{re: lazily(text), needs: sync.OnceValue(func() []string {
		parsed, _ := syntax.Parse(text, syntax.Perl)
		return needed(parsed.Simplify())
	})}
}

// needed gives texts of which each match of re holds one, or nil.
func needed(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return []string{string(re.Rune)}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return needed(re.Sub[0])
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if found := needed(sub); shortest(found) > shortest(best) {
				best = found
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			found := needed(sub)
			if found == nil {
				return nil
			}
			all = append(all, found...)
		}
		return all
	}
	return nil
}

func shortest(texts []string) int {
	if len(texts) == 0 {
		return 0
	}
	n := len(texts[0])
	for _, text := range texts {
		n = min(n, len(text))
	}
	return n
}

// possible is false where text cannot match. A nil expression matches nothing.
func (e *expression) possible(text string) bool {
	if e == nil {
		return false
	}
	needs := e.needs()
	for _, need := range needs {
		if strings.Contains(text, need) {
			return true
		}
	}
	return len(needs) == 0
}

func (e *expression) match(text string) bool { return e.possible(text) && e.re.MatchString(text) }

// find gives the first match, or "".
func (e *expression) find(text string) string {
	if !e.possible(text) {
		return ""
	}
	return e.re.FindString(text)
}

// index is where the first match begins, or -1.
func (e *expression) index(text string) int {
	if e.possible(text) {
		if at := e.re.FindStringIndex(text); at != nil {
			return at[0]
		}
	}
	return -1
}

// all gives the places of all matches.
func (e *expression) all(text string) [][]int {
	if !e.possible(text) {
		return nil
	}
	return e.re.FindAllStringIndex(text, -1)
}

// groups gives the matches with their groups.
func (e *expression) groups(text string) [][]int {
	if !e.possible(text) {
		return nil
	}
	return e.re.FindAllStringSubmatchIndex(text, -1)
}

// first gives the first group that matched in each match.
func (e *expression) first(text string) []string {
	var found []string
	for _, at := range e.groups(text) {
		for k := 2; k+1 < len(at); k += 2 {
			if at[k] >= 0 && at[k+1] > at[k] {
				found = append(found, text[at[k]:at[k+1]])
				break
			}
		}
	}
	return found
}
