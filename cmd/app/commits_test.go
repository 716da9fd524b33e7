package app

import (
	"slices"
	"testing"
)

func TestCommitsAreReadWithWhatTheyChanged(t *testing.T) {
	const log = "\x01aa\x0010\x00Add a\x00\n3\t1\ta b.go\x000\t2\tc.go\x00\x00\x01bb\x0011\x00Draw\x00\n-\t-\tlogo.png\x00\x00\x01cc\x0012\x00Nothing\x00"
	commits := numbered(log)
	a, b, c := commits["aa"], commits["bb"], commits["cc"]
	if len(commits) != 3 || a.Subject != "Add a" || a.Files != 2 || a.Added != 3 || a.Removed != 3 || !slices.Equal(a.Paths, []string{"a b.go", "c.go"}) {
		t.Errorf("%+v", commits)
	}
	if b.Files != 1 || b.Added != 0 || c.Files != 0 || c.At.Unix() != 12 {
		t.Errorf("%+v", commits)
	}
}
