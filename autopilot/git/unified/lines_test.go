package unified

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLinesKnowTheirPlaces(t *testing.T) {
	const diff = `diff --git a/limit.go b/limit.go
index 1..2 100644
--- a/limit.go
+++ b/limit.go
@@ -1,3 +1,3 @@ package limit
 package limit
--- a comment in SQL
+++ a comment in SQL
 
\ No newline at end of file
@@ -10 +10,2 @@
-ten
+ten
+eleven
diff --git "a/gr\303\274n.go" "b/gr\303\274n.go"
deleted file mode 100644
--- "a/gr\303\274n.go"
+++ /dev/null
@@ -1 +0,0 @@
-package green
diff --git a/old name b/new name
similarity index 100%
rename from old name
rename to new name
`
	var got strings.Builder
	for _, l := range Lines(diff) {
		fmt.Fprintf(&got, "%-8s%-9s%2d %2d %s\n", l.Kind, l.Path, l.Old, l.New, l.Text)
	}
	const want = `file    limit.go  0  0 diff --git a/limit.go b/limit.go
head    limit.go  0  0 index 1..2 100644
head    limit.go  0  0 --- a/limit.go
head    limit.go  0  0 +++ b/limit.go
hunk    limit.go  0  0 @@ -1,3 +1,3 @@ package limit
same    limit.go  1  1  package limit
removed limit.go  2  0 --- a comment in SQL
added   limit.go  0  2 +++ a comment in SQL
same    limit.go  3  3  
head    limit.go  0  0 \ No newline at end of file
hunk    limit.go  0  0 @@ -10 +10,2 @@
removed limit.go 10  0 -ten
added   limit.go  0 10 +ten
added   limit.go  0 11 +eleven
file    grün.go   0  0 diff --git "a/gr\303\274n.go" "b/gr\303\274n.go"
head    grün.go   0  0 deleted file mode 100644
head    grün.go   0  0 --- "a/gr\303\274n.go"
head    grün.go   0  0 +++ /dev/null
hunk    grün.go   0  0 @@ -1 +0,0 @@
removed grün.go   1  0 -package green
file              0  0 diff --git a/old name b/new name
head              0  0 similarity index 100%
head              0  0 rename from old name
head              0  0 rename to new name
`
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// TestEachNewLineIsFound: whatever git compares, the lines that are there after the change have the numbers that they have in the file.
func TestEachNewLineIsFound(t *testing.T) {
	dir := t.TempDir()
	line := rapid.SampledFrom([]string{"", "a", "b", "-- c", "++ d", "@@ -1 +1 @@", "diff --git a/x b/x", `\ e`})
	rapid.Check(t, func(t *rapid.T) {
		before, after := rapid.SliceOfN(line, 0, 20).Draw(t, "before"), rapid.SliceOfN(line, 0, 20).Draw(t, "after")
		for name, lines := range map[string][]string{"before": before, "after": after} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Join(lines, "\n")), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		c := exec.Command("git", "diff", "--no-index", "before", "after")
		c.Dir = dir
		diff, _ := c.Output() // it fails where the files differ
		for _, l := range Lines(string(diff)) {
			if l.New > 0 && (l.New > len(after) || l.Text[1:] != after[l.New-1]) || l.Old > 0 && (l.Old > len(before) || l.Text[1:] != before[l.Old-1]) {
				t.Fatalf("%+v is not there:\n%s", l, diff)
			}
		}
	})
}
