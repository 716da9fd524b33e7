package agent

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

func TestPathsThatLeadOutAreRefused(t *testing.T) {
	d := world(t)
	outside := t.TempDir()
	put(t, outside, map[string]string{"secret.txt": "secret"})
	for link, target := range map[string]string{
		"out": outside, "out.txt": filepath.Join(outside, "secret.txt"), "hidden": ".git", "sub/state": "../.harness/sessions/s",
		"dangling": "nowhere", "sub/inner": "deep",
	} {
		if err := os.Symlink(target, filepath.Join(d.Dir, link)); err != nil {
			t.Skip("no symbolic links here")
		}
	}
	refused := []string{
		"../x", "sub/../../x", "sub/../main.go", "/etc/passwd", filepath.Join(d.Dir, "main.go"), ".git/config", ".GIT/config",
		".git./config", ".git::$INDEX_ALLOCATION/config", "git~1/config", ".g\u200cit/config", "sub/.git/config", "./.git/hooks/x",
		".harness/sessions/s/events.jsonl", ".Harness/out/d2/notes.md", ".harness/out/d2/notes.md", ".harness/out/d1/../d2/notes.md",
		"out/secret.txt", "out.txt", "hidden/config", "sub/state/events.jsonl", "dangling", "dangling/x", "a\x00b",
	}
	for _, path := range refused {
		if got := use(t, d, "read_file", args{"path": path}); !strings.HasPrefix(got, "error:") || strings.Contains(got, "secret\n") {
			t.Errorf("reading %q: %s", path, got)
		}
		if got := use(t, d, "write_file", args{"path": path, "content": "x"}); !strings.HasPrefix(got, "error:") {
			t.Errorf("writing %q: %s", path, got)
		}
	}
	wantIn(t, use(t, d, "read_file", args{"path": "sub/inner/b.go"}), "hello from below")
	if read(t, outside, "secret.txt") != "secret" {
		t.Error("a file outside was written")
	}
	if runtime.GOOS == "linux" {
		if _, err := os.Stat(filepath.Join(d.Dir, "nowhere")); err == nil {
			t.Error("a file was made through a dangling link")
		}
	}
}

func TestSpecCopyAndOwnFolderCanBeReadOnly(t *testing.T) {
	d := world(t)
	for path, want := range map[string]string{
		d.SpecCopy: "The copy", ".harness/sessions/s/spec.md": "The copy",
		".harness/out/d1/notes.md": "my note", filepath.Join(d.OutDir, "notes.md"): "my note",
	} {
		wantIn(t, use(t, d, "read_file", args{"path": path}), want)
		if got := use(t, d, "write_file", args{"path": path, "content": "x"}); !strings.HasPrefix(got, "error:") {
			t.Errorf("writing %s: %s", path, got)
		}
	}
	wantIn(t, use(t, d, "scratchpad_write", args{"name": "survey.md", "content": "long\n"}), "wrote")
	wantIn(t, use(t, d, "read_file", args{"path": ".harness/out/d1/scratchpad/survey.md"}), "long")
}

func TestPlannerWritesPlansAndNothingElse(t *testing.T) {
	d := as(world(t), personas.Planner)
	wantIn(t, use(t, d, "write_file", args{"path": "docs/plans/2026-01-02-x-plan.md", "content": "# Plan: x\n"}), "wrote")
	wantIn(t, use(t, d, "edit_file", args{"path": "docs/plans/2026-01-02-x-plan.md", "old": "x", "new": "y"}), "replaced 1")
	if err := os.Symlink("../../main.go", filepath.Join(d.Dir, "docs/plans/link.md")); err != nil {
		t.Skip("no symbolic links here")
	}
	for _, path := range []string{"main.go", "docs/spec.md", "docs/plans/x.go", "docs/plans/deep/x.md", "docs/plans/link.md"} {
		wantIn(t, use(t, d, "write_file", args{"path": path, "content": "x"}), "error: you may write only a plan")
	}
	if read(t, d.Dir, "docs/spec.md") != "# Spec\n" {
		t.Error("the spec was changed")
	}
}

func TestFileIsReadInRanges(t *testing.T) {
	d := world(t)
	put(t, d.Dir, map[string]string{"many.txt": strings.Repeat("line\n", 3000), "empty.txt": "", "wide.txt": strings.Repeat("ä", 5000)})
	got := use(t, d, "read_file", args{"path": "main.go", "from": 3, "to": 4})
	if got != "     3\tfunc main() {\n     4\t\tprintln(\"hello\")\n… more follows; go on with from 5\n" {
		t.Errorf("%q", got)
	}
	wantIn(t, use(t, d, "read_file", args{"path": "many.txt"}), "  2000\tline", "go on with from 2001")
	wantIn(t, use(t, d, "read_file", args{"path": "empty.txt"}), "empty")
	if got := use(t, d, "read_file", args{"path": "wide.txt"}); len(got) > toolbox.MaxLine+50 || !strings.Contains(got, "ä…") {
		t.Errorf("a long line is not cut: %d bytes", len(got))
	}
	wantIn(t, use(t, d, "read_file", args{"path": "crlf.txt"}), "     2\ttwo\n")
}

func TestEditTakesExactlyOneOccurrence(t *testing.T) {
	d := world(t)
	put(t, d.Dir, map[string]string{"twice.txt": "a b\nc\na b\n"})
	if err := os.Chmod(filepath.Join(d.Dir, "main.go"), 0o755); err != nil {
		t.Fatal(err)
	}
	wantIn(t, use(t, d, "edit_file", args{"path": "main.go", "old": "\"hello\"", "new": "\"bye\""}), "replaced 1")
	wantIn(t, read(t, d.Dir, "main.go"), "println(\"bye\")")
	if info, _ := os.Stat(filepath.Join(d.Dir, "main.go")); runtime.GOOS != "windows" && info.Mode().Perm() != 0o755 {
		t.Errorf("the mode became %v", info.Mode())
	}
	wantIn(t, use(t, d, "edit_file", args{"path": "twice.txt", "old": "a b", "new": "x"}), "error: old occurs 2 times", "lines 1, 3")
	wantIn(t, use(t, d, "edit_file", args{"path": "twice.txt", "old": "a b", "new": "x", "all": true}), "replaced 2")
	wantIn(t, use(t, d, "edit_file", args{"path": "crlf.txt", "old": "one\ntwo", "new": "1\n2"}), "replaced 1")
	if got := read(t, d.Dir, "crlf.txt"); got != "1\r\n2\r\nthree\r\n" {
		t.Errorf("%q", got)
	}
	wantIn(t, use(t, d, "edit_file", args{"path": "main.go", "old": "\tprintln(\"good bye\")", "new": "x"}), "error: old does not occur", "the nearest is", "     4\t\tprintln(\"bye\")")
	wantIn(t, use(t, d, "edit_file", args{"path": "main.go", "old": "zzz", "new": "x"}), "read the file again")
	wantIn(t, use(t, d, "edit_file", args{"path": "main.go", "old": "", "new": "x"}), "old is empty")
	wantIn(t, use(t, d, "edit_file", args{"path": "main.go", "old": "main", "new": "main"}), "are the same")
	wantIn(t, use(t, d, "edit_file", args{"path": "gone.go", "old": "a", "new": "b"}), "there is no file")
}

func TestOldThatHoldsLineNumbersIsNamedAsThat(t *testing.T) {
	d := world(t)
	wantIn(t, use(t, d, "edit_file", args{"path": "main.go", "old": "     3\tfunc main() {\n     4\t\tprintln(\"hello\")", "new": "x"}), "error:", "line numbers", "not part of the file")
	wantIn(t, use(t, d, "edit_file", args{"path": "main.go", "old": "     3\tnever there", "new": "x"}), "old does not occur")
}

func TestOddNamesAreRefused(t *testing.T) {
	d := world(t)
	for _, path := range []string{"~/zz", "~", "~me/x", "./~/x", "a\nb", "a\r\nb.txt", "sub/~/x"} {
		wantIn(t, use(t, d, "write_file", args{"path": path, "content": "x"}), "error:")
	}
	wantIn(t, use(t, d, "write_file", args{"path": "~/zz", "content": "x"}), "home", "relative to the root")
	wantIn(t, use(t, d, "write_file", args{"path": "a\nb", "content": "x"}), "line break")
	for _, path := range []string{"a~", "docs/x~1.md", "sub/~lock"} {
		wantIn(t, use(t, d, "write_file", args{"path": path, "content": "x"}), "wrote")
	}
}

func TestSearchSaysWhatItLeftOut(t *testing.T) {
	d := world(t)
	put(t, d.Dir, map[string]string{"large.log": strings.Repeat("filler line\n", toolbox.MaxSearched/12) + "needle at last\n"})
	wantIn(t, use(t, d, "search", args{"pattern": "needle"}), "no match", "not searched", "large.log", "grep")
	put(t, d.Dir, map[string]string{"small.txt": "needle\n"})
	wantIn(t, use(t, d, "search", args{"pattern": "needle"}), "small.txt:1: needle", "large.log")
	if got := use(t, d, "search", args{"pattern": "needle", "glob": "small.txt"}); strings.Contains(got, "large.log") || strings.Contains(got, "too large") {
		t.Errorf("%s", got)
	}
}

func TestSearchAndListHonourGitignore(t *testing.T) {
	d := world(t)
	found := use(t, d, "search", args{"pattern": "hel+o"})
	wantIn(t, found, "main.go:4: \tprintln(\"hello\")", "sub/deep/b.go:3:", "sub/deep/hello (strange) name.txt:1:")
	listed := use(t, d, "list_files", args{})
	wantIn(t, listed, "main.go", "docs/plans/.keep", "sub/deep/hello (strange) name.txt")
	for _, hidden := range []string{"build/", "a.tmp", ".harness", "bin.dat:"} {
		if strings.Contains(found, hidden) || hidden != "bin.dat:" && strings.Contains(listed, hidden) {
			t.Errorf("%s is shown", hidden)
		}
	}
	if got := use(t, d, "list_files", args{"path": "sub", "glob": "*.go"}); got != "sub/deep/b.go" {
		t.Errorf("%q", got)
	}
	if got := use(t, d, "list_files", args{"glob": "docs/**/*.md"}); got != "docs/spec.md" {
		t.Errorf("%q", got)
	}
	wantIn(t, use(t, d, "list_files", args{"path": "../"}), "error:")
	wantIn(t, use(t, d, "list_files", args{"glob": "*.rs"}), "no file matches")
	wantIn(t, use(t, d, "search", args{"pattern": "zebra", "path": "sub"}), "no match in")
	put(t, d.Dir, map[string]string{"many.txt": strings.Repeat("zebra\n", toolbox.MaxMatches+5)})
	wantIn(t, use(t, d, "search", args{"pattern": "zebra"}), "more than 200 matches")
	if err := os.Remove(filepath.Join(d.Dir, "main.go")); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(use(t, d, "list_files", args{}), "main.go") {
		t.Error("a deleted file is listed")
	}
}

func TestSearchShowsLinesAroundAMatch(t *testing.T) {
	d := world(t)
	put(t, d.Dir, map[string]string{"n.txt": "one\nTwo\nthree\nfour\nfive\nsix\nseven\ntwo\n", "o.txt": "two\r\nlast\r\n"})
	for name, c := range map[string]struct {
		arguments args
		want      string
	}{
		"none":           {args{"pattern": "four", "path": "n.txt"}, "n.txt:4: four\n"},
		"one":            {args{"pattern": "four", "path": "n.txt", "context": 1}, "n.txt-3- three\nn.txt:4: four\nn.txt-5- five\n"},
		"case, groups":   {args{"pattern": "(?i)two", "glob": "[no].txt", "context": 1}, "n.txt-1- one\nn.txt:2: Two\nn.txt-3- three\n--\nn.txt-7- seven\nn.txt:8: two\n--\no.txt:1: two\no.txt-2- last\n"},
		"that overlap":   {args{"pattern": "four|six", "path": "n.txt", "context": 2}, "n.txt-2- Two\nn.txt-3- three\nn.txt:4: four\nn.txt-5- five\nn.txt:6: six\nn.txt-7- seven\nn.txt-8- two\n"},
		"that adjoin":    {args{"pattern": "three|six", "path": "n.txt", "context": 1}, "n.txt-2- Two\nn.txt:3: three\nn.txt-4- four\nn.txt-5- five\nn.txt:6: six\nn.txt-7- seven\n"},
		"less than none": {args{"pattern": "four", "path": "n.txt", "context": -3}, "n.txt:4: four\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := use(t, d, "search", c.arguments); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
	put(t, d.Dir, map[string]string{"wide.txt": strings.Repeat(strings.Repeat("x", 250)+"\n", 1000) + "needle\n" + strings.Repeat(strings.Repeat("y", 250)+"\nneedle\n", 1000)})
	wantIn(t, use(t, d, "search", args{"pattern": "needle", "context": 9999}), "wide.txt:1001: needle", "more than 200 matches")
	for i := range 15 {
		put(t, d.Dir, map[string]string{fmt.Sprintf("wide/%02d.txt", i): strings.Repeat(strings.Repeat("x", 290)+"\n", 50) + "once\n" + strings.Repeat(strings.Repeat("y", 290)+"\n", 50)})
	}
	wantIn(t, use(t, d, "search", args{"pattern": "once", "context": 20}), "no more is shown", "less context")
}

func TestDiffHasNewFilesAsAdditions(t *testing.T) {
	d := world(t)
	put(t, d.Dir, map[string]string{"docs/spec.md": "# Changed\n", "sub/new file.go": "package a\n\nfunc f() {}\n", "empty.txt": "", "open.txt": "a\nb", "new.dat": "a\x00b", "sub/new.tmp": "ignored"})
	if err := os.Chmod(filepath.Join(d.Dir, "open.txt"), 0o755); err != nil {
		t.Fatal(err)
	}
	got := use(t, d, "git_diff", args{})
	wantIn(t, got, "+# Changed\n", "diff --git a/sub/new file.go b/sub/new file.go\nnew file mode 100644\n--- /dev/null\n+++ b/sub/new file.go\n@@ -0,0 +1,3 @@\n+package a\n+\n+func f() {}\n",
		"diff --git a/empty.txt b/empty.txt\nnew file mode 100644\n", "@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n", "New files, not in this diff (read_file shows them):\nnew.dat\n")
	if runtime.GOOS != "windows" {
		wantIn(t, got, "b/open.txt\nnew file mode 100755\n")
	}
	if strings.Contains(got, "new.tmp") || strings.Contains(got, "--- a/empty.txt") {
		t.Errorf("%s", got)
	}
	if at := filepath.Join(t.TempDir(), "new.patch"); runtime.GOOS == "linux" { // git takes it as its own
		only := use(t, d, "git_diff", args{"path": "sub"})
		if err := os.WriteFile(at, []byte(only), 0o644); err != nil {
			t.Fatal(err)
		}
		git(t, world(t).Dir, "apply", "--check", at)
	}
	wantIn(t, use(t, d, "git_diff", args{"stat": true}), "docs/spec.md | 2 +-", " sub/new file.go | 3 + (new)\n", " empty.txt | 0 + (new)\n")
	wantIn(t, use(t, d, "git_diff", args{"path": "open.txt"}), "+b\n")
	if got := use(t, d, "git_diff", args{"head": "HEAD"}); strings.Contains(got, "open.txt") {
		t.Errorf("between two commits: %s", got)
	}
	put(t, d.Dir, map[string]string{"large.txt": strings.Repeat("line\n", 20_000)})
	got = use(t, d, "git_diff", args{})
	wantIn(t, got, "+package a\n", "(read_file shows them):", "\nlarge.txt\n")
	if strings.Contains(got, "+line") {
		t.Error("a part of a file that is too long is shown")
	}
}

func TestGitIsReadWithoutTheProgramsFiles(t *testing.T) {
	d := world(t)
	git(t, d.Dir, "add", "-f", ".harness/sessions/s/events.jsonl")
	put(t, d.Dir, map[string]string{"docs/spec.md": "# Changed\n", "fresh.txt": "new\n"})
	got := use(t, d, "git_diff", args{})
	wantIn(t, got, "+# Changed", "fresh.txt")
	if strings.Contains(got, "events.jsonl") {
		t.Error("the program's own files are in the diff")
	}
	wantIn(t, use(t, d, "git_diff", args{"stat": true, "path": "docs"}), "docs/spec.md | 2 +-")
	if got := use(t, d, "git_diff", args{"base": "HEAD", "head": "HEAD"}); got != "(no output)" {
		t.Errorf("%q", got)
	}
	wantIn(t, use(t, d, "git_show", args{"rev": "HEAD"}), "first", "+package main")
	if got := use(t, d, "git_show", args{"rev": "HEAD", "path": "docs/spec.md"}); got != "# Spec\n" {
		t.Errorf("%q", got)
	}
	wantIn(t, use(t, d, "git_show", args{"rev": "HEAD", "path": ".git/config"}), "error:")
}
