package app

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/autopilot/git"
	"autopilot/cmd/console"
)

func TestAUsersOwnFilesAreThoseThatGitSaysTheyAre(t *testing.T) {
	for _, c := range []struct {
		uid  string
		euid int
		sudo string
		want bool
	}{
		{"1000", 1000, "", true},
		{"1001", 1000, "", false},
		{"0", 1000, "", false},
		{"1000", 1001, "1000", false},
		{"0", 0, "", true},
		{"0", 0, "1000", true},
		{"1000", 0, "", false},
		{"1000", 0, "1000", true},
		{"1001", 0, "1000", false},
		{"1000", 0, "x", false},
		{"1000", 0, "-1", false},
	} {
		if got := isOwn(c.uid, c.euid, c.sudo); got != c.want {
			t.Errorf("a folder of %s, for %d with SUDO_UID %q: %t", c.uid, c.euid, c.sudo, got)
		}
		if got := isOwnFile(c.uid, c.euid, c.sudo); got != (c.want || c.uid == "0") {
			t.Errorf("a file of %s, for %d with SUDO_UID %q: %t", c.uid, c.euid, c.sudo, got)
		}
	}
}

func TestSafeDirectoryNamesFolders(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(home, "src", "list")
	if err := errors.Join(os.MkdirAll(folder, 0o755), os.Symlink("src", filepath.Join(home, "link"))); err != nil {
		t.Skip("links cannot be made here:", err)
	}
	for values, want := range map[string]bool{
		"": false, "*": true, folder: true, folder + "/": true, "~/src/list": true, home + "/link/list": true, home + "/link/*": true,
		home + "/*": true, "/*": true, home: false, home + "/src/li*": false, folder + "/*": false, home + "/src/lis": false, ".": false,
		"*,": false, "*,,/none": false, "*,," + folder: true, "/none," + folder: true, folder + ",/none": true,
	} {
		if got := isSafe(strings.Split(values, ","), home, folder); got != want {
			t.Errorf("%s: %t", values, got)
		}
	}
}

// TestAFolderOfAnotherUserIsRefusedWhereGitRefusesIt compares with what git says of a repository in the same folder.
func TestAFolderOfAnotherUserIsRefusedWhereGitRefusesIt(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	sub, home := filepath.Join(dir, "sub"), t.TempDir()
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"GIT_CONFIG_GLOBAL", "GIT_DIR"} {
		t.Setenv(name, "")
		os.Unsetenv(name)
	}
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	if _, err := Git(t.Context(), dir, os.Environ(), "init", "-q"); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{dir, filepath.Join(dir, ".git"), sub} {
		if err := os.Chown(folder, 65534, -1); err != nil {
			t.Skip("only root can give a folder away")
		}
	}
	for _, c := range []struct{ sudo, config string }{
		{"", ""},
		{"65534", ""},
		{"65533", ""},
		{"", "directory = " + dir},
		{"", "directory = *"},
		{"", "directory = *\n directory ="},
		{"", "directory = /elsewhere"},
	} {
		t.Setenv("SUDO_UID", c.sudo)
		write(t, filepath.Join(home, ".gitconfig"), "[safe]\n "+c.config+"\n")
		_, refused := git.Find(t.Context(), dir)
		for _, folder := range []string{dir, sub} {
			if err := CheckOwner(t.Context(), &console.Host{Environ: os.Environ()}, folder); (refused != nil) != (err != nil) {
				t.Errorf("SUDO_UID %q, %q: git says %v of the repository, and of %s: %v", c.sudo, c.config, refused, folder, err)
			}
		}
	}
}

func TestAFileOfAnotherUserIsRefusedInAFolderOfOnesOwn(t *testing.T) {
	folder, h := t.TempDir(), &console.Host{}
	file := filepath.Join(folder, "list")
	write(t, file, "")
	if err := CheckOwner(t.Context(), h, folder, "list", "none"); err != nil {
		t.Error(err)
	}
	if err := os.Chown(file, 65534, -1); err != nil {
		t.Skip("only root can give a file away")
	}
	if err := CheckOwner(t.Context(), h, folder, "none", "list"); err == nil || !strings.Contains(err.Error(), file+" belongs to another user") {
		t.Error(err)
	}
}
