package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// token is a word of a command line without its quotes.
type token struct {
	text    string
	expands bool // the shell puts something into the word, so that nobody knows what it is
	runs    bool // and for that runs a command
	unsure  bool // over which some shell may end
}

// tokenOf reads a word; none is the empty one.
func tokenOf(w *syntax.Word) token {
	var t token
	if w != nil {
		t.parts(w.Parts, false)
	}
	return t
}

func tokensOf(words []*syntax.Word) []token {
	var list []token
	for _, w := range words {
		list = append(list, tokenOf(w))
	}
	return list
}

func (t *token) parts(parts []syntax.WordPart, quoted bool) {
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			t.text += unescaped(p.Value, quoted)
			t.expands = t.expands || !quoted && strings.ContainsAny(p.Value, "*?")
		case *syntax.SglQuoted:
			t.text += p.Value
			t.unsure = t.unsure || p.Dollar // quotes of another kind to bash, a dollar to others
		case *syntax.DblQuoted:
			t.parts(p.Parts, true)
			t.unsure = t.unsure || p.Dollar
		case *syntax.CmdSubst:
			t.substitute(token{runs: true})
		case *syntax.ParamExp:
			in := filledIn(p)
			t.substitute(token{runs: in.runs, unsure: !plain(p) || in.unsure})
		default: // arithmetic, which may divide by zero, and what only some shells know
			t.substitute(token{unsure: true})
		}
	}
}

// substitute notes what stands in place of a part.
func (t *token) substitute(by token) {
	t.text += substituted
	t.expands, t.runs, t.unsure = true, t.runs || by.runs, t.unsure || by.unsure
}

// filledIn is the word that a variable has in place of its value.
func filledIn(p *syntax.ParamExp) token {
	if p.Exp == nil {
		return token{}
	}
	return tokenOf(p.Exp.Word)
}

// plainly are ways of working on a variable that all shells have and none ends over.
var plainly = []syntax.ParExpOperator{
	syntax.AlternateUnset, syntax.AlternateUnsetOrNull, syntax.DefaultUnset, syntax.DefaultUnsetOrNull,
	syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix,
}

func plain(p *syntax.ParamExp) bool {
	if p.Exp != nil && !slices.Contains(plainly, p.Exp.Op) {
		return false
	}
	return !p.Excl && p.Index == nil && p.Slice == nil && p.Repl == nil && p.Names == 0
}

// unescaped takes off backslashes: between quotes only those before what means something there.
func unescaped(text string, quoted bool) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && (!quoted || strings.IndexByte("$`\"\\\n", text[i+1]) >= 0) {
			if i++; text[i] == '\n' {
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
