package personas

import (
	"strings"
	"testing"
)

// pieces are how a text may arrive: whole, byte by byte, and in pieces that part it at every place in turn.
func pieces(text string) map[string][]string {
	all := map[string][]string{"whole": {text}, "bytes": strings.Split(text, "")}
	for at := 1; at < len(text); at += max(1, len(text)/97) {
		all["at "+text[max(0, at-3):at]] = []string{text[:at], text[at:]}
	}
	return all
}

const pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA0123456789abcdef\nq83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ\n-----END RSA PRIVATE KEY-----"

func TestNoSecretIsPartedByHowItArrives(t *testing.T) {
	several := "first line of it\nsecond line of it\nx"
	m := NewMask([]string{"A_TOKEN=two words", "B_KEY=" + several, "C_PASSWORD=abcd1"})
	key := "ghp_" + strings.Repeat("aB3", 14)
	long := strings.Repeat("0123456789,", 6_000) // more than is held back
	for text, want := range map[string]string{
		"say two words.\nand two words":        "say [secret].\nand [secret]",
		"a " + key + "\n" + key:                "a [secret]\n[secret]",
		"see " + pem + "\nthen":                "see [secret]\nthen",
		"see " + pem[:80] + "\n":               "see [secret]\n",
		"Bearer " + key + "!":                  "Bearer [secret]!",
		"pw=abcd1, abcd12":                     "pw=[secret], abcd12",
		long + "two words" + long + key + "\n": long + "[secret]" + long + "[secret]\n",
		"plain\ntext":                          "plain\ntext",
	} {
		for how, parts := range pieces(text) {
			var got strings.Builder
			w := m.Writer(&got)
			for _, p := range parts {
				if n, err := w.Write([]byte(p)); n != len(p) || err != nil {
					t.Fatalf("%d, %v", n, err)
				}
			}
			if err := w.Close(); err != nil || got.String() != want {
				t.Fatalf("%.40q, %s: %.200q, %v", text, how, got.String(), err)
			}
		}
	}
}

func TestPrivateKeyWithoutAnEndHoldsNothingUp(t *testing.T) {
	var got strings.Builder
	w := NewMask(nil).Writer(&got)
	text := "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("no key at all, but a text that names one\n", 1_000)
	for line := range strings.Lines(text) {
		if _, err := w.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if got.Len() < len(text)/2 || !strings.HasPrefix(text, got.String()) {
		t.Errorf("%d of %d bytes came: %.60q", got.Len(), len(text), got.String())
	}
}
