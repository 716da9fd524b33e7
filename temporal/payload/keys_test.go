package payload

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// line is a line of a key file, with a key that follows from its id.
func line(id string) string {
	return id + " " + base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%032s", id)) + "\n"
}

// keysOf has the keys of some ids; the first encrypts.
func keysOf(t rapid.TB, ids ...string) Keys {
	t.Helper()
	if len(ids) == 0 {
		return Keys{}
	}
	var text strings.Builder
	for _, id := range ids {
		text.WriteString(line(id))
	}
	keys, err := ParseKeys(text.String())
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func TestKeysAreReadInTheOrderOfTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(file, []byte("\n"+line("b")+"\r\n  "+line("a")), 0o600); err != nil {
		t.Fatal(err)
	}
	keys, err := ReadKeys(file)
	if err != nil || len(keys.list) != 2 || keys.list[0].id != "b" || keys.list[1].id != "a" {
		t.Errorf("read %v (%v)", keys, err)
	}
	if _, err := ReadKeys(file + "s"); err == nil || !strings.Contains(err.Error(), "can't read the key file") {
		t.Errorf("a missing file: %v", err)
	}
}

func TestBadKeysAreRefused(t *testing.T) {
	secret := base64.StdEncoding.EncodeToString([]byte("0123456789abcdef0123456789abcdef"))
	for name, c := range map[string]struct{ text, want string }{
		"nothing":                {"", "the key file has no keys"},
		"blank lines":            {"\n \n", "the key file has no keys"},
		"a key without an id":    {secret, "line 1 of the key file: want an id and a key"},
		"three fields":           {line("a") + "b " + secret + " c", "line 2 of the key file: want an id and a key"},
		"a short key":            {"a " + secret[:24], "the key has 18 bytes, not 32"},
		"a long key":             {"a QUFB" + secret, "the key has 35 bytes, not 32"},
		"a key for AES-128":      {"a AAAAAAAAAAAAAAAAAAAAAA==", "the key has 16 bytes, not 32"},
		"no base64":              {"a " + strings.Repeat("_", 44), "the key isn't base64"},
		"the key before its id":  {secret + " 2026-a", "the key isn't base64"},
		"an id for the 2nd time": {line("a") + line("b") + line("a"), `line 3 of the key file: the id "a" is already used`},
	} {
		t.Run(name, func(t *testing.T) {
			keys, err := ParseKeys(c.text)
			if err == nil || !strings.Contains(err.Error(), c.want) || len(keys.list) > 0 {
				t.Fatalf("got %v, want %q", err, c.want)
			}
			if strings.Contains(err.Error(), secret[:20]) {
				t.Errorf("the error shows the key: %v", err)
			}
		})
	}
}

func TestPrintedKeysShowNoKey(t *testing.T) {
	data := regexp.MustCompile(`\d+[ ,]+\d+[ ,]+\d+|[0-9a-fA-F]{32}|abcdefghabcdefgh`)
	for _, verb := range strings.Split("v +v #v s q x X d t p", " ") {
		if got := fmt.Sprintf("%"+verb, keysOf(t, "abcdefgh")); data.MatchString(got) {
			t.Errorf("%%%s prints %s", verb, got)
		}
	}
}

func TestAHashedSlugStaysTheSameWhenKeysAreRotated(t *testing.T) {
	hash := regexp.MustCompile(`^[0-9a-f]{16}$`)
	rapid.Check(t, func(t *rapid.T) {
		slug, other := rapid.String().Draw(t, "slug"), rapid.String().Draw(t, "other")
		got := HashSlug(keysOf(t, "a"), slug)
		switch {
		case !hash.MatchString(got):
			t.Errorf("%q is not a hash", got)
		case got != HashSlug(keysOf(t, "c", "b", "a"), slug):
			t.Error("two new keys change it")
		case got == HashSlug(keysOf(t, "a", "b"), slug):
			t.Error("another last key doesn't change it")
		case slug != other && got == HashSlug(keysOf(t, "a"), other):
			t.Error("another slug has the same hash")
		case HashSlug(Keys{}, slug) != slug:
			t.Error("without keys, it isn't the slug")
		}
	})
}

// TestTheHashOfASlugIsForGood: sessions that were started with it are found by it.
func TestTheHashOfASlugIsForGood(t *testing.T) {
	if got := HashSlug(keysOf(t, "a"), "rule-engine"); got != "27e1b2ed8a35eec1" {
		t.Errorf("the hash is %s", got)
	}
}

// TestKeysAreRotatedWithoutAPause, by a file that adds a key and one that puts it first: whoever has the file before or after reads what
// all write, and names of sessions stay.
func TestKeysAreRotatedWithoutAPause(t *testing.T) {
	files := []Keys{keysOf(t, "old", "names"), keysOf(t, "old", "new", "names"), keysOf(t, "new", "old", "names")}
	for i, writer := range files {
		for j, reader := range files {
			p, err := Converter(writer).ToPayloads("a plan")
			if err != nil {
				t.Fatal(err)
			}
			var text string
			if err := Converter(reader).FromPayloads(p, &text); (err == nil) != (j >= i-1) {
				t.Errorf("file %d reads what file %d wrote: %v", j, i, err)
			}
			if a, b := HashSlug(writer, "spec"), HashSlug(reader, "spec"); a != b {
				t.Errorf("file %d names a session %s, file %d %s", i, a, j, b)
			}
		}
	}
}
