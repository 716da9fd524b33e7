package proof

import (
	"errors"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/git"
	"autopilot/autopilot/validate"
)

// files are those of a folder; "" is a file that is not there.
type files map[string]string

func (f files) lay(t *testing.T, dir string) {
	t.Helper()
	for name, text := range f {
		path := filepath.Join(dir, filepath.FromSlash(name))
		var err error
		if text == "" {
			err = os.Remove(path)
		} else {
			err = errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// base is what the tasks of the table change.
var base = files{
	".gitignore": "tools/\n", "add": "echo $(($1 + $2))\n", "tools/.keep": "x\n",
	"tests/run.sh":   ". tests/lib.sh\nfor c in tests/case_*; do . $c; done\nexit $failed\n",
	"tests/lib.sh":   "failed=0\ncheck() { [ \"$(sh add $1 $2)\" = $3 ] || failed=1; }\n",
	"tests/case_add": "check 1 2 3\ncheck 2 2 4\n", "tests/case_zero": "check 0 3 3\n",
	"Makefile": "test:\n\tsh tests/run.sh\n",
}

// task is a change, and what is wanted of the old tests.
type task struct {
	change    files
	want      Verdict // "": nothing is asked
	announced []string
	believed  Verdict // what is wanted with what is announced as the work has it
	left      bool    // without it the old tests pass
}

// taken says whether a test takes the row of that name: one in three, always the same ones, or all with RESUME_FULL=1.
func taken(name string) bool {
	return os.Getenv("RESUME_FULL") == "1" || crc32.ChecksumIEEE([]byte(name))%3 == 0
}

func TestOldTestsJudgeTheNewCode(t *testing.T) {
	wrong := "echo 3\n"
	for name, tc := range map[string]task{
		"a case taken away":         {change: files{"add": wrong, "tests/case_add": "check 1 2 3\n"}, want: Broken},
		"a helper emptied":          {change: files{"add": wrong, "tests/lib.sh": "failed=0\ncheck() { :; }\n"}, want: Broken},
		"a file of tests removed":   {change: files{"add": wrong, "tests/case_add": "", "tests/case_b": "check 1 2 3\n"}, want: Broken},
		"a new hook":                {change: files{"add": wrong, "tests/case_z": "failed=0\n"}, want: Broken},
		"the command made harmless": {change: files{"add": wrong, "Makefile": "test:\n\tsh tests/run.sh || true\n"}, want: Broken},
		"what is built is renamed":  {change: files{"add": "", "plus": base["add"], "tests/lib.sh": strings.Replace(base["tests/lib.sh"], "sh add", "sh plus", 1)}, want: Broken},
		"and a test touched":        {change: files{"add": wrong, "Makefile": "test:\n\tsh tests/run.sh || true\n", "tests/case_add": "check 1 2 3\n"}, want: Broken},
		"a case more":               {change: files{"tests/case_add": "check 1 2 3\ncheck 2 2 4\ncheck 5 5 10\n"}, want: Holds},
		"a helper rewritten":        {change: files{"tests/lib.sh": base["tests/lib.sh"] + "# better\n"}, want: Holds},
		"announced":                 {change: files{"add": wrong, "tests/case_add": "check 1 2 3\n"}, announced: []string{"tests/case_add"}, want: Broken},
		"announced in part": {
			change: files{"add": wrong, "tests/case_add": "check 1 2 3\n", "tests/lib.sh": base["tests/lib.sh"] + "# better\n"}, announced: []string{"tests/case_add"},
			want: Broken, believed: Holds,
		},
		"another part announced": {
			change: files{"add": wrong, "tests/case_add": "check 1 2 3\n", "tests/lib.sh": base["tests/lib.sh"] + "# better\n"}, announced: []string{"tests/lib.sh"},
			want: Broken, believed: Broken,
		},
		"announced, and rests on a helper that is not": {
			change: files{
				"add": "[ $1$2 = 12 ] && echo three || echo $(($1 + $2))\n", "tests/lib.sh": base["tests/lib.sh"] + "twice() { check $1 $1 $2; }\n",
				"tests/case_add": "twice 2 4 || failed=1\ncheck 1 2 three\n",
			},
			announced: []string{"tests/case_add"}, want: Broken, believed: Broken, left: true,
		},
		"nothing that judges":         {change: files{"add": "expr $1 + $2\n"}},
		"what the clean tree has not": {change: files{"add": ". tools/lib\n" + base["add"], "tools/lib": ":\n", "tests/case_add": "check 1 2 3\n"}, want: CouldNot},
	} {
		if !taken(name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree := newTree(t)
			user := tree.Repo.Root()
			tc.change.lay(t, user)
			before := status(t, user)
			position, err := tree.Repo.Position(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			q := Question{Base: position.Head, Announced: tc.announced, Commands: []Command{{Validation: validate.Validation{Command: "make -s test"}}}}
			for path, text := range tc.change {
				if !strings.HasPrefix(path, "tools/") {
					_, was := base[path]
					q.Changes = append(q.Changes, Change{Path: path, New: !was && text != ""})
				}
			}
			if _, err := tree.Open(t.Context(), position.Head); err != nil {
				t.Fatal(err)
			}
			if len(tc.announced) == 0 {
				tc.believed = tc.want
			}
			for _, q.Believe = range []bool{false, true} { // the second time the tree is there
				answers, err := tree.OldTests(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				var got Verdict
				if len(answers) > 0 {
					got = answers[0].Verdict
				}
				if want := map[bool]Verdict{false: tc.want, true: tc.believed}[q.Believe]; got != want {
					t.Errorf("got %q, want %q: %+v", got, want, answers)
				}
				if want := tc.left || !q.Believe && tc.believed != tc.want; len(answers) > 0 && answers[0].Announced != want {
					t.Errorf("as announced: got %v, want %v", answers[0].Announced, want)
				}
			}
			if diff := cmp.Diff(before, status(t, user)); diff != "" {
				t.Errorf("the user's own tree is another one:\n%s", diff)
			}
		})
	}
}

// newTree is a clean tree beside a repository with the files of base.
func newTree(t *testing.T) Tree {
	t.Helper()
	return newTreeOf(t, base)
}

func newTreeOf(t *testing.T, project files) Tree {
	t.Helper()
	dir := t.TempDir()
	project.lay(t, dir)
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=U", "-c", "user.email=u@example.com", "commit", "-qm", "Begin"}} {
		gitIn(t, dir, args...)
	}
	repo, err := git.Find(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return Tree{Repo: repo, Dir: filepath.Join(t.TempDir(), "clean"), Home: dir, Runner: validate.Runner{Now: time.Now}}
}

func gitIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", args, out)
	}
	return string(out)
}

func status(t *testing.T, dir string) []string {
	t.Helper()
	lines := strings.Split(gitIn(t, dir, "status", "--porcelain", "--ignored", "-uall"), "\n")
	slices.Sort(lines)
	return lines
}

func TestProgramsAreThoseOfTheTree(t *testing.T) {
	tree := Tree{Dir: t.TempDir(), Home: t.TempDir()}
	if err := os.MkdirAll(filepath.Join(tree.Dir, ".venv", "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=" + filepath.Join(tree.Home, ".venv", "bin") + ":/bin:" + filepath.Join(tree.Home, "bin"), "VIRTUAL_ENV=" + filepath.Join(tree.Home, ".venv"), "HOME=" + tree.Home}
	want := []string{"PATH=" + filepath.Join(tree.Dir, ".venv", "bin") + ":/bin:" + filepath.Join(tree.Home, "bin"), "VIRTUAL_ENV=" + filepath.Join(tree.Dir, ".venv"), "HOME=" + tree.Home}
	if diff := cmp.Diff(want, tree.here(env)); diff != "" {
		t.Error(diff)
	}
}

func TestWhatFailsOnceIsNotTheWorks(t *testing.T) {
	runs := filepath.Join(t.TempDir(), "runs")
	tree, q := change(t, base, files{"tests/lib.sh": base["tests/lib.sh"] + "# better\n"}, "echo >> "+runs+"; test $(wc -l < "+runs+") != 2 && make -s test")
	answers, err := tree.OldTests(t.Context(), q)
	if err != nil || len(answers) != 1 || answers[0].Verdict != Holds {
		t.Errorf("got %+v, error %v", answers, err)
	}
}

func TestATreeThatIsHalfMadeIsMadeAnew(t *testing.T) {
	tree, q := change(t, base, files{"add": "echo 3\n"}, "true")
	for name, spoil := range map[string]func() error{
		"its folder alone is there": func() error {
			return errors.Join(tree.Close(t.Context()), os.MkdirAll(filepath.Join(tree.Dir, "x"), 0o755))
		},
		"its folder is gone": func() error { return os.RemoveAll(tree.Dir) },
		"its link is gone":   func() error { return os.Remove(filepath.Join(tree.Dir, ".git")) },
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		if _, err := tree.Open(t.Context(), q.Base); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := errors.Join(os.Remove(filepath.Join(tree.Dir, ".git")), tree.Close(t.Context())); err != nil {
		t.Error(err)
	}
	if left := gitIn(t, tree.Repo.Root(), "worktree", "list", "--porcelain"); strings.Count(left, "worktree ") != 1 {
		t.Errorf("left: %s", left)
	}
}

// Test programs name their tests in the clean tree, and so tell of more there than where the work was made.
func TestExitCodeIsEnoughInTheTreeWhereItWasEnoughBefore(t *testing.T) {
	for name, tc := range map[string]struct {
		ran     int
		now     validate.Evidence
		lacking bool
	}{
		"no test is seen here either":    {0, validate.Evidence{Outcome: validate.NothingToRun}, false},
		"a failure is named, and hidden": {0, validate.Evidence{Outcome: validate.Failed}, false},
		"it fails":                       {0, validate.Evidence{Outcome: validate.Failed, ExitCode: 1}, true},
		"tests ran before":               {3, validate.Evidence{Outcome: validate.NothingToRun}, true},
	} {
		if lacks := (Command{Ran: tc.ran}).unlike(tc.now) != ""; lacks != tc.lacking {
			t.Errorf("%s: lacking: got %v, want %v", name, lacks, tc.lacking)
		}
	}
}
