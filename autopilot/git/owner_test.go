package git

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAUsersOwnFilesAreThoseThatGitSaysTheyAre(t *testing.T) {
	for _, c := range []struct {
		uid, euid int
		sudo      string
		want      bool
	}{
		{1000, 1000, "", true},
		{1001, 1000, "", false},
		{0, 1000, "", false},
		{1000, 1001, "1000", false},
		{0, 0, "", true},
		{0, 0, "1000", true},
		{1000, 0, "", false},
		{1000, 0, "1000", true},
		{1001, 0, "1000", false},
		{1000, 0, "x", false},
		{1000, 0, "-1", false},
	} {
		if got := isOwn(c.uid, c.euid, c.sudo); got != c.want {
			t.Errorf("a file of %d, for %d with SUDO_UID %q: %t", c.uid, c.euid, c.sudo, got)
		}
	}
}

func TestSafeDirectoryNamesFolders(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	folder := filepath.Join(home, "src", "list")
	if err := errors.Join(os.MkdirAll(folder, 0o755), os.Symlink("src", filepath.Join(home, "link"))); err != nil {
		t.Skip("links cannot be made here:", err)
	}
	for values, want := range map[string]bool{
		"": false, "*": true, folder: true, folder + "/": true, "~/src/list": true, home + "/link/list": true, home + "/link/*": true,
		home + "/*": true, "/*": true, home: false, home + "/src/li*": false, folder + "/*": false, home + "/src/lis": false, ".": false,
		"*,": false, "*,,/none": false, "*,," + folder: true, "/none," + folder: true, folder + ",/none": true,
	} {
		if got := isSafe(strings.Split(values, ","), folder); got != want {
			t.Errorf("%s: %t", values, got)
		}
	}
}

// TestAFolderOfAnotherUserIsRefusedWhereGitRefusesIt compares with what git says of a repository in the same folder.
func TestAFolderOfAnotherUserIsRefusedWhereGitRefusesIt(t *testing.T) {
	s := emptySandbox(t)
	sub := s.path("sub")
	s.must(os.Mkdir(sub, 0o755))
	for _, dir := range []string{s.dir, s.path(".git"), sub} {
		if err := os.Chown(dir, 65534, -1); err != nil {
			t.Skip("only root can give a folder away")
		}
	}
	for _, c := range []struct{ sudo, config string }{
		{"", ""},
		{"65534", ""},
		{"65533", ""},
		{"", "directory = " + s.dir},
		{"", "directory = *"},
		{"", "directory = *\n directory ="},
		{"", "directory = /elsewhere"},
	} {
		t.Setenv("SUDO_UID", c.sudo)
		atHome(t, map[string]string{".gitconfig": "[safe]\n " + c.config + "\n"})
		_, git := Find(t.Context(), s.dir)
		for _, dir := range []string{s.dir, sub} {
			var refused *OwnerError
			if err := CheckOwner(t.Context(), dir); (git != nil) != errors.As(err, &refused) {
				t.Errorf("SUDO_UID %q, %q: git says %v of the repository, and of %s: %v", c.sudo, c.config, git, dir, err)
			}
		}
	}
}

func TestAFileOfAnotherUserIsRefusedInAFolderOfOnesOwn(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "list")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := CheckOwner(t.Context(), folder, "list", "none"); err != nil {
		t.Error(err)
	}
	if err := os.Chown(file, 65534, -1); err != nil {
		t.Skip("only root can give a file away")
	}
	t.Setenv("SUDO_UID", "")
	var refused *OwnerError
	if err := CheckOwner(t.Context(), folder, "none", "list"); !errors.As(err, &refused) || refused.Path != file {
		t.Error(err)
	}
}
