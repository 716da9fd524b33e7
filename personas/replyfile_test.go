package personas

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOnlyAPlainFileBelowTheRootIsAReply(t *testing.T) {
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "outside")
	for path, text := range map[string]string{
		filepath.Join(dir, "reply.json"): "{}", outside: "{}", filepath.Join(dir, "large"): strings.Repeat(" ", maxReply+1),
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"in": filepath.Join(dir, "reply.json"), "out": outside, "folder": filepath.Dir(outside)} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip("no links here:", err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if data, err := ReadReply(root, "reply.json"); err != nil || string(data) != "{}" {
		t.Errorf("a plain file: %q, %v", data, err)
	}
	if _, err := ReadReply(root, "none.json"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	for name, problem := range map[string]string{
		"in": "symbolic link", "out": "symbolic link", ".": "a folder", "large": "larger than", "folder/outside": "cannot be read",
		"reply.json/below": "cannot be read", "../outside": "cannot be read",
	} {
		var bad *ReplyError
		if _, err := ReadReply(root, name); !errors.As(err, &bad) || !strings.Contains(err.Error(), problem) {
			t.Errorf("%s: %v, want %q", name, err, problem)
		}
	}
}
