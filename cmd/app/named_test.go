package app

import "testing"

func TestASlipIsAlike(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"docs/spce.md", "docs/spec.md", true}, {"docs/spec", "docs/spec.md", false}, {"limts", "limits", true}, {"limits", "import", false}, {"ab", "abc", false}, {"docs/none.md", "docs/spec.md", false},
	} {
		if got := Alike(c.a, c.b); got != c.want {
			t.Errorf("%s and %s: %t", c.a, c.b, got)
		}
	}
}
