package dispatch

import (
	"slices"
	"strings"
	"testing"
)

func TestWhatJudgesIsAPartOfItsOwn(t *testing.T) {
	for _, c := range []struct {
		part   string
		judges bool
	}{
		{"diff --git a/calc.go b/calc.go\n--- a/calc.go\n+++ b/calc.go\n@@ -1 +1 @@\n-diff --git a/x_test.go b/x_test.go\n+y\n", false},
		{"diff --git a/my calc_test.go b/my calc_test.go\n--- a/my calc_test.go\n+++ b/my calc_test.go\n@@ -1 +1 @@\n-x\n+y\n", true},
		{"diff --git a/testdata/a.bin b/testdata/a.bin\nindex 1..2 100644\nBinary files a/testdata/a.bin and b/testdata/a.bin differ\n", true},
		{"diff --git \"a/caf\\303\\251_test.go\" \"b/caf\\303\\251_test.go\"\nold mode 100644\nnew mode 100755\n", true},
		{"diff --git a/calc_test.go b/docs/old.txt\nsimilarity index 100%\nrename from calc_test.go\nrename to docs/old.txt\n", true},
		{"diff --git a/go.mod b/go.mod\n--- a/go.mod\n+++ b/go.mod\n@@ -1 +1 @@\n-x\n+y\n", true},
	} {
		const other = "diff --git a/main.go b/main.go\n@@ -1 +1 @@\n-1\n+2\n"
		wantJudges, wantRest := "", other+c.part+other
		if c.judges {
			wantJudges, wantRest = c.part, other+other
		}
		if judges, rest := divided(other + c.part + other); judges != wantJudges || rest != wantRest {
			t.Errorf("%s\nwas divided into\n%s\nand\n%s", c.part, judges, rest)
		}
	}
	const about = "diff --git a/src/lib.rs b/src/lib.rs\n--- a/src/lib.rs\n+++ b/src/lib.rs\n"
	const work = "@@ -1 +1 @@\n-    a + b\n+    a | b\n"
	for _, tests := range []string{
		"@@ -9 +9 @@ mod tests {\n-        assert_eq!(add(20, 22), 42);\n+        assert_eq!(add(1, 2), 3);\n",
		"@@ -9,2 +9 @@\n     #[test]\n-    #[should_panic]\n",
		"@@ -3,3 +3,3 @@\n /// ```\n-/// assert_eq!(add(20, 22), 42);\n /// ```\n",
		"@@ -3,2 +3,2 @@\n     >>> add(1, 2)\n-    3\n+    4\n",
	} {
		if judges, rest := divided(about + work + tests + work); judges != about+tests || rest != about+work+work {
			t.Errorf("%s was divided into\n%s\nand\n%s", tests, judges, rest)
		}
		if judges, rest := divided(about + tests); judges != about+tests || rest != "" {
			t.Errorf("%s alone was divided into\n%s\nand\n%s", tests, judges, rest)
		}
	}
	if judges, rest := divided(""); judges+rest != "" {
		t.Errorf("an empty diff gave %q and %q", judges, rest)
	}
}

func divided(diff string) (judges, rest string) {
	a, b := divide(diff, nil)
	return strings.Join(a, ""), strings.Join(b, "")
}

// TestNewFileOfDataIsShownByItsBeginning: a test's data may be long; a new test, and data that was changed, are whole.
func TestNewFileOfDataIsShownByItsBeginning(t *testing.T) {
	file := func(name, mode string, lines int) string {
		return "diff --git a/" + name + " b/" + name + "\n" + mode + "--- a\n+++ b\n@@ -0,0 +1 @@\n" + strings.Repeat("+x\n", lines)
	}
	const added, changed = "new file mode 100644\n", "index 1..2 100644\n"
	for _, whole := range []string{file("tests/a.csv", added, 30), file("tests/a.csv", changed, 900), file("tests/test_a.py", added, 900), file("package.json", added, 900)} {
		if judges, _ := divided(whole); judges != whole {
			t.Errorf("%.60s of %d lines was cut to\n%s", whole, strings.Count(whole, "\n"), judges)
		}
	}
	judges, _ := divided(file("tests/a.csv", added, 900) + file("tests/b.csv", changed, 1))
	if n := strings.Count(judges, "+x\n"); n != 21 || !strings.Contains(judges, "+ … and 880 lines more of this file of data\ndiff --git a/tests/b.csv") {
		t.Errorf("%d lines are shown:\n%s", n, judges)
	}
}

func TestFilesOfAFolderAreOneLine(t *testing.T) {
	if got := byFolder([]string{"a.go", "b.go", "lib/c.go", "lib/x/d.go", "lib/x/e.go", "and 3 more"}); got != "\n./ a.go b.go\nlib/ c.go\nlib/x/ d.go e.go\n./ and 3 more" {
		t.Errorf("%q", got)
	}
}

// TestDiffHasWholeFiles: what does not fit is named, and a later file that fits is there.
func TestDiffHasWholeFiles(t *testing.T) {
	file := func(name string, lines int) string {
		return "diff --git a/" + name + " b/" + name + "\n@@ -1 +1 @@\n" + strings.Repeat("+x\n", lines)
	}
	small, large, last := file("a.go", 2), file("b.go", 90), file("c.go", 2)
	for _, c := range []struct {
		most int
		want string
		left []string
	}{
		{1000, small + large + last, nil},
		{len(small) + len(last), small + last, []string{"b.go (307 bytes)"}},
		{len(small), small, []string{"b.go (307 bytes)", "c.go (43 bytes)"}},
	} {
		if text, left := whole([]string{small, large, last}, c.most); text != c.want || !slices.Equal(left, c.left) {
			t.Errorf("of %d bytes there are %q, without %q", c.most, text, left)
		}
	}
	if text, left := whole([]string{large, small}, 50); text != small || !slices.Equal(left, []string{"b.go (307 bytes)"}) {
		t.Errorf("beside a large one there are %q, without %q", text, left)
	}
	if text, left := whole([]string{large}, 50); text == "" || !strings.HasPrefix(large, text) || !strings.HasSuffix(text, "\n") || len(left) != 1 {
		t.Errorf("of a large one there are %q, without %q", text, left)
	}
}

func TestDiffHasNoPlans(t *testing.T) {
	plan := "diff --git a/docs/plans/p.md b/docs/plans/p.md\nnew file mode 100644\n--- /dev/null\n+++ b/docs/plans/p.md\n@@ -0,0 +1 @@\n+x\n"
	code := "diff --git a/a.go b/a.go\n@@ -1 +1 @@\n-x\n+y\n"
	if judges, rest := divide(plan+code, []string{"docs/spec.md", "docs/plans/p.md"}); len(judges) > 0 || !slices.Equal(rest, []string{code}) {
		t.Errorf("there are %q and %q", judges, rest)
	}
}
