package plainfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestFileThatIsTooLargeIsComparedAndNotPutBack(t *testing.T) {
	large := filepath.Join(t.TempDir(), "large")
	hold := func(size int) *Held {
		t.Helper()
		if err := os.WriteFile(large, []byte(strings.Repeat("x", size)), 0o600); err != nil {
			t.Fatal(err)
		}
		held, err := Hold(large)
		if err != nil {
			t.Fatal(err)
		}
		return held
	}
	was, now := hold(maxHeld+1), hold(maxHeld+2)
	if info, err := os.Stat(large); was.Same(now) || was.PutAt(large) == nil || err != nil || info.Size() != maxHeld+2 {
		t.Error("a part of a file was taken for all of it")
	}
	if err := (*Held)(nil).PutAt(large); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(large); err == nil {
		t.Error("the file is still there")
	}
}

func TestFilesTellWhenTheyChanged(t *testing.T) {
	dir := t.TempDir()
	old, moved := filepath.Join(dir, "old"), filepath.Join(dir, "moved")
	if err := os.WriteFile(old, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(old, long, long); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(old, moved); err != nil {
		t.Fatal(err)
	}
	if !ChangedAfter(moved, long.Add(time.Minute)) {
		t.Error("a file that was moved did not change")
	}
	if ChangedAfter(moved, time.Now().Add(time.Hour)) || ChangedAfter(old, long) {
		t.Error("a file changed that did not")
	}
}
