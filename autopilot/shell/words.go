package shell

import (
	"slices"
	"strings"
)

// Commands splits a command line into simple commands of words, quotes
// taken off. Command substitutions are commands of their own. It knows no more
// of the shell than that.
func Commands(line string) [][]string {
	commands, _ := pipedCommands(line)
	return commands
}

// pipedCommands says besides which commands read what the one before writes.
func pipedCommands(line string) (commands [][]string, piped map[int]bool) {
	s := split(line)
	return s.commands, s.piped
}

func split(line string) *splitter {
	s := &splitter{piped: map[int]bool{}, printed: map[int]bool{}}
	s.split(line)
	s.endCommand()
	return s
}

// substituted stands in a word for what a substitution in quotes puts there.
const substituted = "\x00"

type splitter struct {
	commands  [][]string
	piped     map[int]bool // by the command's index
	printed   map[int]bool // those of a substitution: what they print becomes words
	brackets  []bool       // the open ones: whether a substitution began with it
	ticked    bool         // between two backticks
	bracketed bool         // there are brackets
	words     []string
	word      strings.Builder
	inWord    bool
}

func (s *splitter) split(line string) {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case '\'':
			i = s.single(line, i+1)
		case '"':
			i = s.double(line, i+1)
		case '\\':
			if i++; i < len(line) && line[i] != '\n' {
				s.put(line[i])
			}
		case ' ', '\t':
			s.endWord()
		case '\n', ';', '|', '&', '(', ')', '`':
			if c == '|' && i > 0 && line[i-1] == '>' { // >| writes over a file
				s.put(c)
				continue
			}
			if s.endCommand(); c == '|' && !strings.HasPrefix(line[i+1:], "|") && !strings.HasSuffix(line[:i], "|") {
				s.piped[len(s.commands)] = true
			}
			s.bracket(c, i > 0 && (line[i-1] == '$' || line[i-1] == '<'))
		case '#':
			if s.inWord {
				s.put(c)
			} else {
				i = skipComment(line, i)
			}
		case '$':
			if i+1 < len(line) && line[i+1] == '(' { // the bracket ends the command
				s.put(substituted[0])
			} else {
				s.put(c)
			}
		default:
			s.put(c)
		}
	}
}

func (s *splitter) single(line string, i int) int {
	s.inWord = true
	for ; i < len(line) && line[i] != '\''; i++ {
		s.put(line[i])
	}
	return i
}

// double takes a quoted string, and the substitutions in it as commands.
func (s *splitter) double(line string, i int) int {
	s.inWord = true
	for ; i < len(line) && line[i] != '"'; i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line):
			i++
			s.put(line[i])
		case line[i] == '`':
			end := closing(line, i+1, '`')
			s.substitute(line[i+1 : end])
			i = end
		case strings.HasPrefix(line[i:], "$("):
			end := closing(line, i+2, ')')
			s.substitute(line[i+2 : end])
			i = end
		default:
			s.put(line[i])
		}
	}
	return i
}

// bracket follows where substitutions begin and end.
func (s *splitter) bracket(c byte, substitution bool) {
	switch {
	case c == '(':
		s.bracketed = true
		s.brackets = append(s.brackets, substitution)
	case c == ')' && len(s.brackets) > 0:
		s.brackets = s.brackets[:len(s.brackets)-1]
	case c == '`':
		s.ticked = !s.ticked
	}
}

// substitute takes the commands of a substitution.
func (s *splitter) substitute(line string) {
	for _, words := range Commands(line) {
		s.printed[len(s.commands)] = true
		s.commands = append(s.commands, words)
	}
	s.word.WriteString(substituted)
}

// closing finds the end of a substitution, counting nested brackets.
func closing(line string, i int, end byte) int {
	depth := 0
	for ; i < len(line); i++ {
		switch {
		case line[i] == '(' && end == ')':
			depth++
		case line[i] == end && depth == 0:
			return i
		case line[i] == ')':
			depth--
		}
	}
	return len(line)
}

func skipComment(line string, i int) int {
	for i < len(line) && line[i] != '\n' {
		i++
	}
	return i - 1
}

func (s *splitter) put(c byte) {
	s.inWord = true
	s.word.WriteByte(c)
}

func (s *splitter) endWord() {
	if s.inWord {
		s.words = append(s.words, s.word.String())
	}
	s.word.Reset()
	s.inWord = false
}

func (s *splitter) endCommand() {
	s.endWord()
	if len(s.words) > 0 {
		if s.ticked || slices.Contains(s.brackets, true) {
			s.printed[len(s.commands)] = true
		}
		s.commands = append(s.commands, s.words)
	}
	s.words = nil
}
