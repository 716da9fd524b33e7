package integrity

import (
	"strings"
	"sync"
)

// wordSet is a set of words, which is made when it is first asked: most commands check nothing, and each start of the
// program would make them all.
type wordSet struct {
	text string
	once sync.Once
	made map[string]bool
}

func setOf(words string) *wordSet { return &wordSet{text: words} }

func (s *wordSet) has(word string) bool {
	s.once.Do(func() {
		s.made = map[string]bool{}
		for w := range strings.FieldsSeq(s.text) {
			s.made[w] = true
		}
	})
	return s.made[word]
}
