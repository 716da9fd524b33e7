package personas

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
	"unicode/utf16"
)

// goJSON is what Go's encoder writes within the quotes.
func goJSON(s string, escapeHTML bool) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(escapeHTML)
	if err := enc.Encode(s); err != nil {
		panic(err)
	}
	text := strings.TrimSuffix(b.String(), "\n")
	return text[1 : len(text)-1]
}

// asciiJSON is what Python's encoder writes.
func asciiJSON(s, hex string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(goJSON(s, false))) {
		if unit < 0x7f {
			b.WriteByte(byte(unit))
		} else {
			fmt.Fprintf(&b, `\u`+hex, unit)
		}
	}
	return b.String()
}

// encodings are how programs write a secret, beside what secretForms knows of it.
var encodings = map[string]func(string) string{
	"plain":                   func(s string) string { return s },
	"JSON of Go":              func(s string) string { return goJSON(s, true) },
	"JSON of JavaScript":      func(s string) string { return goJSON(s, false) },
	"JSON of Python":          func(s string) string { return asciiJSON(s, "%04x") },
	"JSON in upper case":      func(s string) string { return asciiJSON(s, "%04X") },
	"JSON of PHP":             func(s string) string { return strings.ReplaceAll(asciiJSON(s, "%04x"), "/", `\/`) },
	"JSON within JSON":        func(s string) string { return goJSON(goJSON(s, true), false) },
	"HTML of Go":              html.EscapeString,
	"HTML of others":          strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;").Replace,
	"HTML within JSON":        func(s string) string { return goJSON(html.EscapeString(s), false) },
	"single quotes":           func(s string) string { return strings.ReplaceAll(s, "'", `'\''`) },
	"single quotes of Python": func(s string) string { return strings.ReplaceAll(s, "'", `'"'"'`) },
	"single quotes in JSON":   func(s string) string { return goJSON(strings.ReplaceAll(s, "'", `'\''`), false) },
	"URL query":               url.QueryEscape,
	"URL path":                url.PathEscape,
	"URL in lower case":       func(s string) string { return lowerHex(url.QueryEscape(s)) },
	"URL of Python":           func(s string) string { return strings.NewReplacer("+", "%20", "%2F", "/").Replace(url.QueryEscape(s)) },
	"base64":                  func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"base64 without =":        func(s string) string { return base64.RawStdEncoding.EncodeToString([]byte(s)) },
	"base64 of URLs":          func(s string) string { return base64.URLEncoding.EncodeToString([]byte(s)) },
	"base64 of URLs without":  func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) },
}

func lowerHex(s string) string {
	parts := strings.Split(s, "%")
	for i, p := range parts[1:] {
		parts[i+1] = strings.ToLower(p[:2]) + p[2:]
	}
	return strings.Join(parts, "%")
}

// randomSecret is of 8 to 40 characters.
func randomSecret(random *rand.Rand) string {
	alphabet := []rune("abcXYZ0189-_.~+=:@$!,;\"\"''\\\\<>&//é😀  \n`(*")
	var s strings.Builder
	for n := 8 + random.IntN(32); n > 0; n-- {
		s.WriteRune(alphabet[random.IntN(len(alphabet))])
	}
	return s.String()
}

// TestASecretIsMaskedHoweverItIsEncoded: and what stands around it stays, also where it comes in pieces.
func TestASecretIsMaskedHoweverItIsEncoded(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	around := [2]string{"see: (", `) & "more" <of> it \ C:\dir, 100%25 é😀 / a+b Zm9vYmFy`}
	for range 400 {
		secret := randomSecret(random)
		m := NewMask([]string{"A_TOKEN=" + secret, "B_KEY=another-key-of-this"})
		for name, encoded := range encodings {
			form := encoded(secret)
			text, want := around[0]+form+around[1], around[0]+Masked+around[1]
			if got := m.Known(text); got != want {
				t.Fatalf("%q as %s, %q, became %q", secret, name, text, got)
			}
			if strings.Contains(form, "\n") {
				continue // then what arrives is masked line by line
			}
			var got strings.Builder
			w := m.KnownWriter(&got)
			at := random.IntN(len(text))
			_, err := fmt.Fprint(w, text[:at])
			if err == nil {
				_, err = fmt.Fprint(w, text[at:])
			}
			if err != nil || w.Close() != nil || got.String() != want {
				t.Fatalf("%q as %s in two pieces became %q, %v", secret, name, got.String(), err)
			}
		}
		if plain := around[0] + around[1]; m.Replace(plain) != plain {
			t.Fatalf("%q changes a text without it: %q", secret, m.Replace(plain))
		}
	}
}

// TestFormsOfRealPrograms has what bash, jq, Python, PHP, .NET and curl print.
func TestFormsOfRealPrograms(t *testing.T) {
	m := NewMask([]string{`A_TOKEN=it's "é😀" <a>&b/c\d $x`, "B_PASSWORD=correct,horse", "C_KEY=" + strings.Repeat("0123456789", 7), "D_PASSWORD=a\"<é"})
	for text, want := range map[string]string{
		`it\'s\ \"é😀\"\ \<a\>\&b/c\\d\ \$x`:                                                                    "[secret]", // bash: printf %q
		`$'it\'s "\303\251\360\237\230\200" <a>&b/c\\d $x'`:                                                    "$'[secret]'",
		`x="it's \"é😀\" <a>&b/c\\d \$x"`:                                                                       `x="[secret]"`,
		`"it's \"\u00e9\ud83d\ude00\" <a>&b\/c\\d $x"`:                                                         `"[secret]"`,                           // PHP
		`"it\u0027s \u0022\u00E9\uD83D\uDE00\u0022 \u003Ca\u003E\u0026b/c\\d $x"`:                              `"[secret]"`,                           // .NET
		"it&#x27;s &quot;é😀&quot; &lt;a&gt;&amp;b/c\\d $x":                                                     "[secret]",                             // Python: html.escape
		"it's%20%22%C3%A9%F0%9F%98%80%22%20%3Ca%3E%26b%2Fc%5Cd%20%24x":                                         "[secret]",                             // encodeURIComponent
		"it%27s+%22%c3%a9%f0%9f%98%80%22+%3ca%3e%26b%2fc%5cd+%24x":                                             "[secret]",                             // .NET
		"Authorization: Basic cm9vdDpjb3JyZWN0LGhvcnNl":                                                        "Authorization: Basic cm9vdDp[secret]", // curl -v -u root:…
		`correct\,horse correct horse`:                                                                         "[secret] correct horse",
		"MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2\nNzg5MDEyMzQ1Njc4OQ==\n": "[secret]\n[secret]\n", // base64
		`["a\"<é", "a\"\u003c\u00e9", "a%22%3C%C3%A9", a"<éa]`:                                                 `["[secret]", "[secret]", "[secret]", [secret]a]`,
	} {
		if got := m.Known(text); got != want {
			t.Errorf("%s became\n%s, want\n%s", text, got, want)
		}
	}
}
