package hub

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// carried does something in a clone, and returns a second clone in which it is restored.
func carried(t *testing.T, bare string, do func(dir string)) (from, to *Session, work string) {
	t.Helper()
	from = begun(t, bare)
	do(from.clone.Dir)
	work = kept(t, from, runTree(from, ""))
	to = openSession(t, openClone(t, bare))
	restore(t, to, runTree(to, work))
	return from, to, work
}

func TestWhatGitIgnoresStays(t *testing.T) {
	bare := newHub(t, map[string]string{".gitignore": "*.log\n"})
	from := begun(t, bare)
	write(t, "mine", from.clone.Dir, "a.log")
	write(t, "built", from.clone.Dir, "build", "out")
	write(t, "*.log\nbuild/\n", from.clone.Dir, ".gitignore") // not committed
	w := kept(t, from, runTree(from, ""))
	to := openSession(t, openClone(t, bare))
	write(t, "its own", to.clone.Dir, "a.log")
	write(t, "its own", to.clone.Dir, "build", "out")
	write(t, "dirt", to.clone.Dir, "dirt")
	for range 2 {
		restore(t, to, runTree(to, w))
		if read(t, to.clone.Dir, "a.log") != "its own" || read(t, to.clone.Dir, "build", "out") != "its own" || read(t, to.clone.Dir, "dirt") != "(none)" {
			t.Error("what is ignored did not stay, or what is not ignored did")
		}
	}
	restore(t, to, runTree(to, ""))
	if read(t, to.clone.Dir, "a.log") != "its own" || read(t, to.clone.Dir, "build", "out") != "(none)" {
		t.Error("the .gitignore of the commit does not decide")
	}
}

// TestLineEndingsAreThoseOfTheClone: git converts them, so that its status is the same.
func TestLineEndingsAreThoseOfTheClone(t *testing.T) {
	for _, auto := range []string{"true", "input", "false"} {
		bare := newHub(t, map[string]string{"unix": "a\nb\n", "dos": "a\r\nb\r\n", "mixed": "a\r\nb\n", "bin": "a\n\x00"})
		from, to := begun(t, bare), begun(t, bare)
		for _, s := range []*Session{from, to} {
			must(t, s.clone.Dir, "config", "core.autocrlf", auto)
			must(t, s.clone.Dir, "config", "core.safecrlf", "true")
			must(t, s.clone.Dir, "rm", "-r", "--quiet", "--cached", ".")
			restore(t, s, runTree(s, ""))
		}
		write(t, "a\nnew\n", from.clone.Dir, "unix")
		write(t, "x\r\ny\n", from.clone.Dir, "new")
		w := kept(t, from, runTree(from, ""))
		to = openSession(t, to.clone)
		restore(t, to, runTree(to, w))
		if got, want := status(t, to.clone.Dir), status(t, from.clone.Dir); got != want || want != " M unix\x00?? new\x00" {
			t.Errorf("autocrlf=%s: the status is %q, want %q", auto, got, want)
		}
		for name, want := range shown(t, from.clone.Dir) {
			if got := shown(t, to.clone.Dir)[name]; strings.ReplaceAll(got, "\r", "") != strings.ReplaceAll(want, "\r", "") || auto == "false" && got != want {
				t.Errorf("autocrlf=%s: %s is %q, want %q", auto, name, got, want)
			}
		}
		if again, err := to.Keep(t.Context(), runTree(to, "")); err != nil || again != w && auto == "false" {
			t.Error(again, err)
		}
	}
}

func TestARepositoryWithLongNamesIsCarried(t *testing.T) {
	bare := newHub(t, map[string]string{"a": "1"}, "--object-format=sha256")
	from, to, w := carried(t, bare, func(dir string) { write(t, "2", dir, "a") })
	if len(w) != 64 || read(t, to.clone.Dir, "a") != "2" {
		t.Errorf("the work %s is not carried", w)
	}
	write(t, "1", from.Dir(), "events.jsonl")
	save(t, from, "")
	if s := openSession(t, to.clone); read(t, s.Dir(), "events.jsonl") != "1" {
		t.Error("the records are not carried")
	}
}

// TestRepositoriesInsideAreLeftOut: submodules and what an agent cloned are not the session's, as everywhere in autopilot.
func TestRepositoriesInsideAreLeftOut(t *testing.T) {
	inside := newHub(t, map[string]string{"in": "1"})
	bare := newHub(t, map[string]string{"a": "1", "becomes": "1"})
	somebody := begun(t, bare)
	must(t, somebody.clone.Dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inside, "sub")
	must(t, somebody.clone.Dir, "commit", "--quiet", "-am", "a submodule")
	save(t, somebody, "main")
	from, to, _ := carried(t, bare, func(dir string) {
		must(t, dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init")
		must(t, filepath.Join(dir, "sub"), "commit", "--quiet", "--allow-empty", "-m", "further")
		must(t, dir, "init", "--quiet", "nothing/committed")
		must(t, dir, "clone", "--quiet", inside, "cloned")
		must(t, dir, "rm", "--quiet", "--cached", "becomes")
		if err := os.Remove(filepath.Join(dir, "becomes")); err != nil {
			t.Fatal(err)
		}
		must(t, dir, "clone", "--quiet", inside, "becomes")
		write(t, "2", dir, "a")
	})
	want := map[string]string{"a": "- 2", ".gitmodules": shown(t, from.clone.Dir)[".gitmodules"]}
	if got := shown(t, to.clone.Dir); !reflect.DeepEqual(got, want) {
		t.Errorf("there is %q, want %q", got, want)
	}
	if got := status(t, to.clone.Dir); got != " M a\x00 D becomes\x00" {
		t.Errorf("the status is %q", got)
	}
	restore(t, from, runTree(from, "")) // what an earlier step cloned is dirt
	if read(t, from.clone.Dir, "cloned", "in") != "(none)" || read(t, from.clone.Dir, "becomes") != "1" {
		t.Error("a repository of an earlier step is still there")
	}
}

func TestManyPathsAreCarried(t *testing.T) {
	files := map[string]string{}
	for i := range 1000 {
		files[fmt.Sprintf("d%d/file with a long name %d", i%50, i)] = fmt.Sprint(i)
	}
	from, to, _ := carried(t, newHub(t, files), func(dir string) {
		for name := range files {
			write(t, "changed", dir, name)
			write(t, "new", dir, "new", name)
		}
	})
	if got, want := shown(t, to.clone.Dir), shown(t, from.clone.Dir); len(got) != 2*len(files) || !reflect.DeepEqual(got, want) {
		t.Errorf("%d files are there, want %d", len(got), len(want))
	}
}

// TestACommitOfAnAgentAtWorkIsCarried: what was committed in the middle of a dispatch is not on the hub's branch, and no less work.
func TestACommitOfAnAgentAtWorkIsCarried(t *testing.T) {
	_, to, _ := carried(t, newHub(t, map[string]string{"a": "1"}), func(dir string) {
		write(t, "2", dir, "a")
		must(t, dir, "commit", "--quiet", "-am", "mine")
		write(t, "3", dir, "b")
	})
	if read(t, to.clone.Dir, "a") != "2" || read(t, to.clone.Dir, "b") != "3" || status(t, to.clone.Dir) != " M a\x00?? b\x00" {
		t.Errorf("the status is %q", status(t, to.clone.Dir))
	}
}

func TestKeepLeavesIndexAndBranchAlone(t *testing.T) {
	s := begun(t, newHub(t, map[string]string{"a": "1"}))
	write(t, "2", s.clone.Dir, "a")
	write(t, "3", s.clone.Dir, "staged")
	must(t, s.clone.Dir, "add", "staged")
	before := status(t, s.clone.Dir) + must(t, s.clone.Dir, "log", "--all", "--oneline")
	kept(t, s, runTree(s, ""))
	if got := status(t, s.clone.Dir) + must(t, s.clone.Dir, "log", "--all", "--oneline"); got != before {
		t.Errorf("there is %q, before %q", got, before)
	}
}

// TestALockOfAGitThatWasEndedAtOnceIsNoObstacle: one that is asked to end right after it made its lock does not remove that.
func TestALockOfAGitThatWasEndedAtOnceIsNoObstacle(t *testing.T) {
	s := begun(t, newHub(t, map[string]string{"a": "1"}))
	write(t, "2", s.clone.Dir, "a")
	for _, name := range []string{"work-run", "merged"} {
		write(t, "", s.clone.folder, "autopilot-"+name+".index.lock")
	}
	restore(t, s, runTree(s, kept(t, s, runTree(s, ""))))
	if got := read(t, s.clone.Dir, "a"); got != "2" {
		t.Errorf("restored is %q", got)
	}
}

func TestAFolderThatIsNoWorkingTreeIsNotKept(t *testing.T) {
	s := begun(t, newHub(t, map[string]string{"a": "1"}))
	lane := filepath.Join(s.clone.Dir, ".harness", "lane")
	write(t, "1", lane, "file")
	if work, err := s.Keep(t.Context(), Tree{Task: "task-001", Dir: lane}); err == nil {
		t.Errorf("the clone around it was kept as %s", work)
	}
	if _, is := errors.AsType[*Error](s.Restore(t.Context(), Tree{Dir: s.clone.Dir, Branch: "main", At: "nothing"})); !is {
		t.Error("a commit that is not there was restored")
	}
}
