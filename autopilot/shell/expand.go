package shell

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// Marks stand in a text for what only a running command knows.
const (
	unknown   = "\x01"
	fetched   = "\x02" // it comes from the network
	processes = "\x03" // numbers of processes that were found by name
	outsiders = "\x04" // names of files outside of the working tree
	marks     = unknown + fetched + processes + outsiders
)

// shown is a text as people read it.
func shown(text string) string {
	return strings.NewReplacer(unknown, "$(…)", fetched, "$(…)", processes, "", outsiders, "").Replace(text)
}

// bounded gives up on a text that is too long: a line may double one on and on.
func bounded(text string) string {
	if len(text) > longest {
		return unknown
	}
	return text
}

// words expands words as the shell does. Of one that cannot be expanded, what is not written out is unknown.
func (w *walk) words(list ...*syntax.Word) (out []string) {
	for _, word := range list {
		split := *word
		if !syntax.SplitBraces(&split) || alternatives(split.Parts) <= mostWords {
			if fields, err := expanded(func() ([]string, error) { return expand.Fields(w.config(), word) }); err == nil {
				out = append(out, fields...)
				continue
			}
		}
		w.substitutions(word)
		out = append(out, literals(split.Parts))
	}
	return out
}

// literals is a word that cannot be expanded, with what stands in it as it is written.
func literals(parts []syntax.WordPart) (text string) {
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			text += p.Value
		case *syntax.SglQuoted:
			text += p.Value
		case *syntax.DblQuoted:
			text += literals(p.Parts)
		default:
			text += unknown
		}
	}
	return text
}

// alternatives is how many words the braces of one make; a sequence counts as too many.
func alternatives(parts []syntax.WordPart) int {
	product := 1
	for _, part := range parts {
		if braces, is := part.(*syntax.BraceExp); is {
			sum := 0
			for _, e := range braces.Elems {
				sum += alternatives(e.Parts)
			}
			if product = min(product*sum, mostWords+1); braces.Sequence {
				return mostWords + 1
			}
		}
	}
	return product
}

// expanded is what the library makes of a word. It panics at some that it does not know, such as ${X@U}.
func expanded[T any](do func() (T, error)) (value T, err error) {
	defer func() {
		if why := recover(); why != nil {
			err = fmt.Errorf("not expanded: %v", why)
		}
	}()
	return do()
}

// text is a word, or the text of a here-document, as one text.
func (w *walk) text(word *syntax.Word, as func(*expand.Config, *syntax.Word) (string, error)) string {
	if word == nil {
		return ""
	}
	text, err := expanded(func() (string, error) { return as(w.config(), word) })
	if err != nil {
		w.substitutions(word)
		return unknown
	}
	return bounded(text)
}

// substitutions walks the commands inside of a node that is not expanded.
func (w *walk) substitutions(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			w.substitute(n.Stmts)
		case *syntax.ProcSubst:
			w.substitute(n.Stmts)
		default:
			return true
		}
		return false
	})
}

// substitute walks commands inside of a word, and returns what they print into it.
func (w *walk) substitute(list []*syntax.Stmt) string {
	defer func(looked bool) { w.looked = looked }(w.looked)
	w.looked = true
	printed := w.apart(func() stream { return w.nest(list) })
	return strings.ReplaceAll(printed.text, outsiders, "")
}

// config is new each time: one that is in use keeps what it has expanded so far.
func (w *walk) config() *expand.Config {
	return &expand.Config{
		Env:     environ{w},
		ExtGlob: true,
		CmdSubst: func(out io.Writer, c *syntax.CmdSubst) error {
			_, err := io.WriteString(out, w.substitute(c.Stmts))
			return err
		},
		ProcSubst: func(p *syntax.ProcSubst) (string, error) {
			if strings.Contains(w.substitute(p.Stmts), fetched) {
				return fetched, nil
			}
			return unknown, nil
		},
	}
}

// environ has the variables of a walk.
type environ struct{ w *walk }

// Get gives a variable. What a script is called with, and the numbers of processes, are unknown.
func (e environ) Get(name string) expand.Variable {
	value, set := e.w.vars[name]
	switch {
	case set:
	case len(e.w.args) > 0 && (name == "@" || name == "*"):
		return expand.Variable{Set: true, Kind: expand.Indexed, List: e.w.args[1:]}
	case len(e.w.args) > 0 && name != "" && strings.Trim(name, "0123456789") == "":
		n, _ := strconv.Atoi(name)
		return expand.Variable{Set: n < len(e.w.args), Kind: expand.String, Str: first(e.w.args[min(n, len(e.w.args)):])}
	case name == "@" || name == "*":
		return expand.Variable{Set: true, Kind: expand.Indexed, List: []string{unknown}}
	case strings.Trim(name, "0123456789$!?#-") == "":
		value, set = unknown, true
	}
	return expand.Variable{Set: set, Kind: expand.String, Str: value}
}

// Set is what ${NAME:=value} does.
func (e environ) Set(name string, v expand.Variable) error {
	e.w.vars[name] = bounded(v.String())
	return nil
}

// Each has nothing to give: no program is started.
func (environ) Each(func(string, expand.Variable) bool) {}
