package machine

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// words are what people call an option on a screen, by its effect, where that is not its name.
var words = map[string]string{
	string(Approved): "approve", EffectApprove: "approve", string(NextPhase): "continue", EffectRecheck: "recheck", EffectRescue: "recheck",
}

// Word is what people call the option on a screen. Every mouth takes it, as it takes the name.
func (o Option) Word() string {
	return cmp.Or(words[o.Effect], o.Name)
}

// Offered are the options of a gate as a person sees them, stop last.
func (g *Gate) Offered() []Option {
	if !g.Free {
		return g.Options
	}
	return slices.Insert(slices.Clone(g.Options), max(0, len(g.Options)-1), withReason(InOwnWords, "", "something else, in your own words"))
}

// Words are the options as a person sees them.
func (g *Gate) Words() []string {
	var words []string
	for _, o := range g.Offered() {
		words = append(words, o.Word())
	}
	return words
}

// WordOf is what people call the option of an answer.
func (g *Gate) WordOf(a Answer) string {
	if o, ok := g.Option(a.Option); ok {
		return o.Word()
	}
	return a.Option
}

// Numbered says whether the options have numbers beside their names; the choices of a decision are numbers themselves.
func (g *Gate) Numbered() bool {
	_, ok := g.Option("1")
	return !ok
}

// Meant finds the option that a person's word means: a name, a word of the screen, a number, n for stop where yes can be
// answered, or the beginning of one option's name.
func (g *Gate) Meant(word string) (Option, bool) {
	word = strings.ToLower(strings.TrimSpace(word))
	offered := g.Offered()
	_, yes := g.Option("yes")
	if _, no := g.Option("no"); yes && !no && (word == "n" || word == "no") {
		word = Stop
	}
	for _, fits := range []func(Option) bool{
		func(o Option) bool { return o.Name == word },
		func(o Option) bool { return o.Word() == word },
		func(o Option) bool {
			n, err := strconv.Atoi(word)
			return err == nil && g.Numbered() && n >= 1 && n <= len(offered) && offered[n-1].Name == o.Name
		},
		func(o Option) bool { return strings.HasPrefix(o.Name, word) || strings.HasPrefix(o.Word(), word) },
	} {
		at := slices.IndexFunc(offered, fits)
		if at >= 0 && word != "" && !slices.ContainsFunc(offered[at+1:], fits) {
			return offered[at], true
		}
	}
	return Option{}, false
}

// AsMeant is an answer whose option has the name that the gate knows it by; what means none stays as it is.
func (g *Gate) AsMeant(a Answer) Answer {
	if o, ok := g.Meant(a.Option); ok && !g.IsRefused(a.Option) {
		a.Option = o.Name
	}
	return a
}
