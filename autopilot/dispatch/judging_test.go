package dispatch

import "testing"

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
		if judges, rest := divide(other + c.part + other); judges != wantJudges || rest != wantRest {
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
		if judges, rest := divide(about + work + tests + work); judges != about+tests || rest != about+work+work {
			t.Errorf("%s was divided into\n%s\nand\n%s", tests, judges, rest)
		}
		if judges, rest := divide(about + tests); judges != about+tests || rest != "" {
			t.Errorf("%s alone was divided into\n%s\nand\n%s", tests, judges, rest)
		}
	}
	if judges, rest := divide(""); judges+rest != "" {
		t.Errorf("an empty diff gave %q and %q", judges, rest)
	}
}

func TestALongTextIsCutAtALine(t *testing.T) {
	if got, cut := atLine("one\ntwo\nthree\n", 9); got != "one\ntwo\n" || !cut {
		t.Errorf("got %q, cut %v", got, cut)
	}
	if got, cut := atLine("one\n", 4); got != "one\n" || cut {
		t.Errorf("got %q, cut %v", got, cut)
	}
}
