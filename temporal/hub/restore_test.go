package hub

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// base are the files of the commit that work is done on.
var base = map[string]string{
	"plain.txt": "one\n", "dir/a": "a\n", "dir/b": "b\n", "sp ace.txt": "s\n", "qu\"ote'": "q\n", "new\nline": "n\n", "ünï/ö.txt": "u\n", "empty": "",
	"deep/x/y/z": "z\n", "star*": "glob\n", "tracked.log": "ignored, and tracked\n", ".gitignore": "*.log\nbuild/\n", "other/theirs": "1\n", "crlf.txt": "a\r\nb\r\n",
}

// paths are what work happens to: files of the commit, folders of it, and names that it does not have.
var paths = []string{
	"plain.txt", "dir/a", "dir/b", "dir", "sp ace.txt", "qu\"ote'", "new\nline", "ünï/ö.txt", "ünï", "empty", "deep/x/y/z", "deep/x", "deep", "star*", "tracked.log",
	"crlf.txt", "fresh", "fresh/in", "start", ":(top)x", "-dash", "back\\slash", "tab\t", "dir/new\nname", "plain.txt/below", "a.log", "build/out", "build", ".gitignore",
}

var texts = []string{"", "one\n", "two\n", "no end", "a\r\nb\r\n", "\x00\xff", "*.log\n", "build\nfresh\n", "!a.log\n"}

// work does something to a working tree.
func work(t *rapid.T, dir string) {
	name := filepath.Join(dir, rapid.SampledFrom(paths).Draw(t, "path"))
	text := rapid.SampledFrom(texts).Draw(t, "text")
	what := rapid.SampledFrom([]string{"write", "delete", "link", "mode", "folder"}).Draw(t, "what")
	if what == "mode" {
		if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() {
			_ = os.Chmod(name, info.Mode().Perm()^0o111)
		}
		return
	}
	_ = os.RemoveAll(name)
	if what == "delete" {
		return
	}
	for up := filepath.Dir(name); up != dir; up = filepath.Dir(up) { // a file or a link in the way of a folder
		if info, err := os.Lstat(up); err == nil && !info.IsDir() {
			_ = os.Remove(up)
		}
	}
	switch what {
	case "link":
		_ = os.MkdirAll(filepath.Dir(name), 0o700)
		_ = os.Symlink(rapid.SampledFrom([]string{"plain.txt", "dir", "nowhere"}).Draw(t, "target"), name)
	case "folder":
		name = filepath.Join(name, "inner")
		fallthrough
	default:
		_ = os.MkdirAll(filepath.Dir(name), 0o700)
		_ = os.WriteFile(name, []byte(text), 0o600) // the git that looks at it would fail
	}
}

func few(n string) {
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		_ = flag.Set("rapid.checks", n)
	}
}

// TestAWorkingTreeIsOnAnotherMachineAsAStepLeftIt: both clones have what earlier steps left in them.
func TestAWorkingTreeIsOnAnotherMachineAsAStepLeftIt(t *testing.T) {
	few("10")
	bare := newHub(t, base)
	one, other := openClone(t, bare), openClone(t, bare)
	rapid.Check(t, func(r *rapid.T) {
		from := openSession(t, one)
		restore(t, from, runTree(from, ""))
		if got := status(t, one.Dir); got != "" {
			r.Fatalf("the tree isn't that of the commit: %q", got)
		}
		for range rapid.IntRange(1, 12).Draw(r, "deeds") {
			work(r, one.Dir)
		}
		w := kept(t, from, runTree(from, ""))
		for range rapid.IntRange(0, 4).Draw(r, "other deeds") {
			work(r, other.Dir)
		}
		to := openSession(t, other)
		restore(t, to, runTree(to, w))
		want, got := shown(t, one.Dir), shown(t, other.Dir)
		if !reflect.DeepEqual(got, want) {
			r.Fatalf("there is\n%q, want\n%q", got, want)
		}
		if got, want := status(t, other.Dir), status(t, one.Dir); got != want {
			r.Fatalf("the status is %q, want %q", got, want)
		}
		if again, err := to.Keep(t.Context(), runTree(to, "")); err != nil || again != w {
			r.Fatalf("the same tree gives %s, want %s: %v", again, w, err)
		}
	})
}

// TestWorkStaysWhenTheBranchMovesOn: somebody else committed other files.
func TestWorkStaysWhenTheBranchMovesOn(t *testing.T) {
	few("8")
	bare := newHub(t, base)
	one, other, third := openClone(t, bare), openClone(t, bare), openClone(t, bare)
	n := 0
	rapid.Check(t, func(r *rapid.T) {
		from := openSession(t, one)
		restore(t, from, runTree(from, ""))
		for range rapid.IntRange(1, 8).Draw(r, "deeds") {
			work(r, one.Dir)
		}
		w := kept(t, from, runTree(from, ""))
		n++
		somebody := openSession(t, third)
		restore(t, somebody, runTree(somebody, ""))
		write(t, fmt.Sprint(n), third.Dir, "other", "theirs")
		write(t, "new", third.Dir, "other", fmt.Sprint(n))
		must(t, third.Dir, "add", "other")
		must(t, third.Dir, "commit", "--quiet", "-m", "on")
		save(t, somebody, "main")
		to := openSession(t, other)
		restore(t, to, runTree(to, w))
		want, got := shown(t, one.Dir), shown(t, other.Dir)
		if got["other/theirs"][2:] != fmt.Sprint(n) || got[fmt.Sprint("other/", n)][2:] != "new" {
			r.Fatalf("what was committed meanwhile is not there: %q", got)
		}
		for _, all := range []map[string]string{want, got} {
			for name := range all {
				if strings.HasPrefix(name, "other/") {
					delete(all, name)
				}
			}
		}
		if !reflect.DeepEqual(got, want) {
			r.Fatalf("there is\n%q, want\n%q", got, want)
		}
		if got, want := status(t, other.Dir), status(t, one.Dir); got != want {
			r.Fatalf("the status is %q, want %q", got, want)
		}
	})
}
