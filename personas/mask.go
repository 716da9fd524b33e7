package personas

import (
	"context"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// Mask takes secrets out of texts. A nil one leaves texts as they are.
type Mask struct {
	values []string // that are known, in every form, the longest first
	known  *strings.Replacer
	alone  *regexp.Regexp // short values, where they stand alone; nil: there are none
}

// NewMask makes a Mask of the values of the secret variables of an environment,
// and of further ones.
func NewMask(environ []string, further ...string) *Mask {
	m := &Mask{values: inEveryForm(Secrets(environ, further...)), alone: standingAlone(shortSecrets(environ, further...))}
	var pairs []string
	for _, v := range m.values {
		pairs = append(pairs, v, Masked)
	}
	m.known = strings.NewReplacer(pairs...)
	return m
}

// standingAlone finds values, in the forms of texts, with no letter, digit or underscore beside them.
func standingAlone(values []string) *regexp.Regexp {
	if len(values) == 0 {
		return nil
	}
	var known, forms []string
	for _, v := range values {
		known = append(known, secretForms(v)...)
	}
	for _, v := range longestFirst(known) {
		form := regexp.QuoteMeta(v)
		if isWord(v[0]) {
			form = `\b` + form
		}
		if isWord(v[len(v)-1]) {
			form += `\b`
		}
		forms = append(forms, form)
	}
	return regexp.MustCompile(strings.Join(forms, "|"))
}

// Known masks the values that are known to be secret: for what a model is told.
func (m *Mask) Known(text string) string {
	if m == nil {
		return text
	}
	text = m.known.Replace(text)
	if m.alone == nil {
		return text
	}
	return m.alone.ReplaceAllString(text, Masked)
}

// Replace masks besides what looks like a key: for what is written down.
func (m *Mask) Replace(text string) string {
	if m == nil {
		return text
	}
	text = m.Known(text)
	if !mayHoldKey(text) {
		return text
	}
	return keyLike.ReplaceAllString(text, "${1}${3}"+Masked+"${2}")
}

// mayHoldKey passes over most texts quickly: looking for each beginning in turn takes a tenth of the time of keyLike.
func mayHoldKey(text string) bool {
	return strings.Contains(text, "PRIVATE KEY") || strings.Contains(text, "earer ") || strings.Contains(text, "://") && strings.Contains(text, "@") ||
		slices.ContainsFunc(keyBegins, func(begin string) bool { return beginsWord(text, begin) })
}

// keyBegins are what the other matches of keyLike begin with.
var keyBegins = []string{
	"sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "AKIA", "ASIA", "AIza", "xox", "hf_", "npm_", "pypi-", "gsk_", "eyJ",
}

// beginsWord says whether a text has something at the beginning of a word: each prompt has sk- within task-001.
func beginsWord(text, begin string) bool {
	for at := 0; ; at++ {
		n := strings.Index(text[at:], begin)
		if n < 0 {
			return false
		}
		if at += n; at == 0 || !isWord(text[at-1]) {
			return true
		}
	}
}

// isWord is what \b in an expression takes for part of a word.
func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// keyLike are the forms of the keys that providers hand out, private keys, and
// passwords in addresses. The groups stay: the first and third before, the second behind.
var keyLike = lazyregexp.New(`(\b(?:[a-z][a-z0-9+.-]*)://[^\s/:@'"]+:)[^\s/@'"]{3,}(@)|(\b[Bb]earer )[A-Za-z0-9._~+/-]{20,}=*|` +
	`\b(?:sk-[A-Za-z0-9_-]{20,}|gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,}|glpat-[A-Za-z0-9_-]{20,}|(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{35}|` +
	`xox[abeprs]-[A-Za-z0-9-]{10,}|hf_[A-Za-z0-9]{30,}|npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{50,}|gsk_[A-Za-z0-9]{30,}|eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,})|` +
	`-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[^{}]*?-----END [A-Z ]*PRIVATE KEY-----|` +
	`(?:(?:\s|\\[nr])+(?:\d+\t)?[A-Za-z0-9+/=]{8,})+)`) // not across what programs print as JSON; the second of one that was cut

// Dispatch runs a persona, and keeps secrets out of what its backend is told and
// of what comes back, which it bounds. How the dispatch keeps its own records is the backend's.
func (m *Mask) Dispatch(ctx context.Context, b Backend, d Dispatch) (Outcome, error) {
	d.Prompt, d.System = m.Known(d.Prompt), m.Known(d.System)
	if tell := d.OnEvent; tell != nil && m != nil {
		d.OnEvent = func(kind, text string) { tell(kind, m.Replace(text)) }
	}
	if line := d.OnLine; line != nil && m != nil {
		d.OnLine = func(text string) { line(m.Replace(text)) }
	}
	if step := d.OnStep; step != nil && m != nil {
		d.OnStep = func(line string) { step(m.Replace(line)) }
	}
	out, err := b.Dispatch(ctx, d)
	out.Detail = m.Replace(out.Detail)
	if out.Reply != nil {
		reply := *out.Reply
		texts := reflect.ValueOf(&reply).Elem()
		everyText(texts, m.Replace)
		shortenTexts(texts)
		out.Reply = &reply
	}
	return out, err
}
