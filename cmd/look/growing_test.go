package look

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAFollowedLogGoesOnInAFileThatTookItsPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "progress.txt")
	put := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	g := growing{path: path}
	want := func(text string) {
		t.Helper()
		if got, err := g.added(); string(got) != text || err != nil {
			t.Errorf("got %q, %v; want %q", got, err, text)
		}
	}
	want("")
	put("one\ntwo\nthr")
	want("one\ntwo\n")
	put("one\ntwo\nthree\n")
	want("three\n")
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	want("")
	put("anew, and longer than what was there\n")
	want("anew, and longer than what was there\n")
	put("cut\n")
	want("cut\n")
}
