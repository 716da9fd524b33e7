package shell

import "testing"

func TestWordsAreQuotedThatAShellWouldChange(t *testing.T) {
	for word, want := range map[string]string{
		"docs/spec.md": "docs/spec.md", "A=1,b:c@d%+": "A=1,b:c@d%+", "": "''", "a b": "'a b'", "it's": `'it'\''s'`,
		"{a,b}": "'{a,b}'", "a!": "'a!'", "a\nb": "'a\nb'", "~/x": "'~/x'",
	} {
		if got := QuoteWord(word); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}

func TestAPathIsNeverTakenForAFlag(t *testing.T) {
	for path, want := range map[string]string{"docs/spec.md": "docs/spec.md", "-x.md": "./-x.md", "-my spec.md": "'./-my spec.md'", "./-x.md": "./-x.md"} {
		if got := QuotePath(path); got != want {
			t.Errorf("%q: %s, want %s", path, got, want)
		}
	}
}
