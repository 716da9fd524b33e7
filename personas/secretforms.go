package personas

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
)

// style writes one character as an encoding does. A letter, a digit or _ stays in all of them.
type style func(r rune) string

// jsonEscaped is what JSON escapes besides what it has to: JavaScript and Rust nothing, Go and Rails, PHP, .NET.
var jsonEscaped = []string{"", "<>&", "/", "<>&/", "<>&'\"+`"}

// htmlQuotes are how HTML writes " and '.
var htmlQuotes = [][2]string{{`"`, `'`}, {"&#34;", "&#39;"}, {"&quot;", "'"}, {"&quot;", "&#39;"}, {"&quot;", "&#x27;"}, {"&quot;", "&apos;"}}

// urlPlain is what a URL leaves besides letters, digits and _, and what it writes for a space.
var urlPlain = [][2]string{
	{"-.~", "+"}, {"-.~", "%20"}, {"-.~/", "+"}, {"-.~/", "%20"}, // Go, Python
	{"-.~$&+:=@", "%20"},                                // Go within a path
	{"-.~!'()*", "%20"}, {"-.~!'()*;/?:@&=+$,#", "%20"}, // JavaScript for a part, and for a whole address
	{"-.*", "+"}, // forms of browsers
}

// withinJSON is what JSON has to escape.
var withinJSON = strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

// shellSpecial is what bash escapes outside of quotes.
const shellSpecial = " \t'\"\\|&;()<>!{}*[]?^$`,"

// secretForms are how a value appears in what programs print: as JSON, HTML, a shell and URLs encode it, and each of these
// within JSON, since agent programs print so what their tools returned. The value itself is one of them.
func secretForms(value string) []string {
	forms, known, odd := []string{value}, map[string]bool{}, special(value)
	if len(odd) == 0 {
		return forms
	}
	for _, s := range textStyles() {
		written, all := map[rune]string{}, ""
		for _, r := range odd {
			written[r] = s(r)
			all += written[r] + "\n"
		}
		if !known[all] { // most encodings do the same to most values
			forms, known[all] = append(forms, encode(value, written)), true
		}
	}
	for _, form := range slices.Clone(forms) {
		forms = append(forms, withinJSON.Replace(form))
	}
	return longestFirst(forms)
}

func textStyles() []style {
	all := []style{
		each(map[rune]string{'\'': `'\''`}), each(map[rune]string{'\'': `'"'"'`}), // within single quotes
		escaping("\"\\$`"), escaping(shellSpecial), dollarQuoted(false), dollarQuoted(true),
	}
	for _, escaped := range jsonEscaped {
		for _, hex := range []string{"%04x", "%04X"} {
			all = append(all, jsonStyle(escaped, false, hex), jsonStyle(escaped, true, hex))
		}
	}
	for _, q := range htmlQuotes {
		all = append(all, each(map[rune]string{'&': "&amp;", '<': "&lt;", '>': "&gt;", '"': q[0], '\'': q[1]}))
	}
	for _, u := range urlPlain {
		all = append(all, urlStyle(u[0], u[1], "%%%02X"), urlStyle(u[0], u[1], "%%%02x"))
	}
	return all
}

// special are the characters of a value that some encoding writes otherwise, each once.
func special(value string) (found []rune) {
	for _, r := range value {
		if (r >= 0x80 || !isWord(byte(r))) && !slices.Contains(found, r) {
			found = append(found, r)
		}
	}
	return found
}

func encode(value string, written map[rune]string) string {
	var b strings.Builder
	for _, r := range value {
		if text, is := written[r]; is {
			b.WriteString(text)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// each writes some characters otherwise.
func each(written map[rune]string) style {
	return func(r rune) string {
		if text, is := written[r]; is {
			return text
		}
		return string(r)
	}
}

func escaping(special string) style {
	return func(r rune) string {
		if strings.ContainsRune(special, r) {
			return `\` + string(r)
		}
		return string(r)
	}
}

// dollarQuoted is what stands within $'…': where the locale does not know a character, its bytes are octal.
func dollarQuoted(ascii bool) style {
	named := each(map[rune]string{'\n': `\n`, '\r': `\r`, '\t': `\t`, '\'': `\'`, '\\': `\\`})
	return func(r rune) string {
		if !ascii || r < 0x80 {
			return named(r)
		}
		return eachByte(r, `\%03o`)
	}
}

func eachByte(r rune, format string) (text string) {
	for _, b := range []byte(string(r)) {
		text += fmt.Sprintf(format, b)
	}
	return text
}

var jsonShort = map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\b': `\b`, '\f': `\f`}

// jsonStyle escapes a slash by a backslash, and all else that is escaped without need by its number.
func jsonStyle(escaped string, ascii bool, hex string) style {
	return func(r rune) (text string) {
		wanted := strings.ContainsRune(escaped, r)
		switch {
		case wanted && r == '/':
			return `\/`
		case !wanted && jsonShort[r] != "":
			return jsonShort[r]
		case !wanted && r >= ' ' && (r < 0x7f || !ascii):
			return string(r)
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			text += fmt.Sprintf(`\u`+hex, unit)
		}
		return text
	}
}

func urlStyle(plain, space, hex string) style {
	return func(r rune) string {
		switch {
		case r == ' ':
			return space
		case strings.ContainsRune(plain, r):
			return string(r)
		}
		return eachByte(r, hex)
	}
}

// base64Forms are a value as base64 has it: alone, in the lines of the usual programs, and what does not depend on what
// stands around it within something longer, such as a name and a password.
func base64Forms(value string) (forms []string) {
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		whole := e.EncodeToString([]byte(value))
		forms = append(forms, whole, strings.TrimRight(whole, "="))
		for before := range 3 {
			text := e.EncodeToString(append(make([]byte, before), value...))
			forms = append(forms, text[(before*8+5)/6:(before+len(value))*8/6])
		}
	}
	for _, width := range []int{64, 76} {
		for line := range slices.Chunk([]byte(forms[0]), width) {
			forms = append(forms, string(line))
		}
	}
	return forms
}
