package shell

import (
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// token is a word of a command line without its quotes, or an operator.
type token struct {
	text     string
	operator bool
	expands  bool // the shell puts something into the word, so that nobody knows what it is
	runs     bool // and for that runs a command
}

func (t token) is(operator string) bool { return t.operator && t.text == operator }

// tokens takes a line apart; false where it cannot be told what stands there.
func tokens(line string) ([]token, bool) {
	l := &lexer{line: line, told: true}
	for l.told && l.at < len(line) {
		l.next()
	}
	l.endWord()
	return l.found, l.told
}

type lexer struct {
	line   string
	at     int
	found  []token
	word   token
	text   []byte // of the word
	inWord bool
	quoted bool // a part of the word was
	told   bool
}

// operators, those before others that they begin with.
var operators = []string{"&>>", "&>", "&&", "||", "|&", ";", "&", "|", ">>", ">|", ">&", "<&", "<>", "<", ">", "(", ")", "\n"}

// beyond is what the reader of outcomes does not follow: documents within the line, arithmetic, processes as files.
var beyond = []string{"<<", "<(", ">(", "((", "$((", "$'"}

// demanded is a variable without which the shell ends, or one that is worked on in a way that may fail.
var demanded = lazyregexp.New(`^\$\{[^}]*[?$` + "`" + `]`)

func (l *lexer) next() {
	rest := l.line[l.at:]
	for _, text := range beyond {
		l.told = l.told && !strings.HasPrefix(rest, text)
	}
	switch c := rest[0]; {
	case c == ' ' || c == '\t':
		l.endWord()
		l.at++
	case c == '#' && !l.inWord:
		l.at = skipComment(l.line, l.at) + 1
	case c == '\'':
		l.quote(rest)
	case c == '"':
		l.double()
	case c == '\\':
		if strings.HasPrefix(rest, "\\\n") {
			l.at += 2
			return
		}
		l.put(rest[min(1, len(rest)-1):min(2, len(rest))])
		l.at, l.quoted = l.at+2, true
	case c == '$' || c == '`':
		l.expansion()
	default:
		for _, text := range operators {
			if strings.HasPrefix(rest, text) {
				l.operator(text)
				return
			}
		}
		l.put(rest[:1])
		l.at++
	}
}

func (l *lexer) put(text string) {
	l.inWord = true
	l.text = append(l.text, text...)
}

// operator takes one; the number of a stream before it belongs to it.
func (l *lexer) operator(text string) {
	if l.inWord && !l.quoted && strings.ContainsAny(text, "<>") && strings.Trim(string(l.text), "0123456789") == "" {
		l.text, l.inWord = nil, false
	}
	l.endWord()
	l.found = append(l.found, token{text: text, operator: true})
	l.at += len(text)
}

func (l *lexer) quote(rest string) {
	text, _, closed := strings.Cut(rest[1:], "'")
	l.put(text)
	l.at, l.quoted, l.told = l.at+len(text)+2, true, l.told && closed
}

func (l *lexer) double() {
	l.put("")
	l.quoted = true
	for l.at++; l.at < len(l.line) && l.told; {
		switch c := l.line[l.at]; {
		case c == '"':
			l.at++
			return
		case c == '\\' && l.at+1 < len(l.line):
			if strings.IndexByte("$`\"\\\n", l.line[l.at+1]) < 0 {
				l.put(`\`)
			}
			l.put(l.line[l.at+1 : l.at+2])
			l.at += 2
		case c == '$' || c == '`':
			l.told = l.told && !strings.HasPrefix(l.line[l.at:], "$((")
			l.expansion()
		default:
			l.put(l.line[l.at : l.at+1])
			l.at++
		}
	}
	l.told = false
}

// expansion takes what the shell puts something else in place of.
func (l *lexer) expansion() {
	rest := l.line[l.at:]
	end := 0
	switch {
	case rest[0] == '`':
		end, l.word.runs = closing(rest, 1, '`'), true
	case strings.HasPrefix(rest, "$("):
		end, l.word.runs = closing(rest, 2, ')'), true
	case strings.HasPrefix(rest, "${"):
		l.told = l.told && !demanded.MatchString(rest)
		end = strings.IndexByte(rest, '}')
	}
	if end < 0 || end >= len(rest) {
		l.told, end = false, len(rest)-1
	}
	l.put(substituted)
	l.word.expands = true
	l.at += end + 1
}

func (l *lexer) endWord() {
	if l.inWord {
		l.word.text = string(l.text)
		l.found = append(l.found, l.word)
	}
	l.word, l.text, l.inWord, l.quoted = token{}, nil, false, false
}
