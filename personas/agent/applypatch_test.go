package agent

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/personas/agent/toolbox"
)

func TestPatchesOfBothFormsAreApplied(t *testing.T) {
	d := world(t)
	const start = "package a\n\nfunc one() int {\n\treturn 1\n}\n\nfunc two() int {\n\treturn 1\n}\n"
	for name, c := range map[string]struct{ patch, want string }{
		"sections":                      {"*** Begin Patch\n*** Update File: a.go\n@@\n func one() int {\n-\treturn 1\n+\treturn 10\n }\n*** End Patch\n", strings.Replace(start, "return 1", "return 10", 1)},
		"an anchor chooses the place":   {"*** Update File: a.go\n@@ func two() int {\n-\treturn 1\n+\treturn 2\n", strings.Replace(start, "two() int {\n\treturn 1", "two() int {\n\treturn 2", 1)},
		"a unified diff":                {"diff --git a/a.go b/a.go\nindex 1..2 100644\n--- a/a.go\n+++ b/a.go\n@@ -3,3 +3,3 @@ package a\n func one() int {\n-\treturn 1\n+\treturn 10\n }\n", strings.Replace(start, "return 1", "return 10", 1)},
		"a number that is a little off": {"--- a/a.go\n+++ b/a.go\n@@ -7,1 +7,1 @@\n-\treturn 1\n+\treturn 2\n", strings.Replace(start, "two() int {\n\treturn 1", "two() int {\n\treturn 2", 1)},
		"counts that are wrong":         {"--- a/a.go\n+++ b/a.go\n@@ -3,30 +4,9 @@\n func one() int {\n-\treturn 1\n+\treturn 10\n }\n", strings.Replace(start, "return 1", "return 10", 1)},
		"two hunks": {
			"*** Update File: a.go\n@@\n-package a\n+package b\n@@\n func two() int {\n-\treturn 1\n+\treturn 2\n",
			strings.NewReplacer("package a", "package b", "two() int {\n\treturn 1", "two() int {\n\treturn 2").Replace(start),
		},
		"lines at the end":              {"*** Update File: a.go\n@@\n+// end\n", start + "// end\n"},
		"lines after one":               {"--- a/a.go\n+++ b/a.go\n@@ -1,0 +2 @@\n+// hello\n", strings.Replace(start, "package a\n", "package a\n// hello\n", 1)},
		"lines below an anchor":         {"*** Update File: a.go\n@@ package a\n+// hello\n", strings.Replace(start, "package a\n", "package a\n// hello\n", 1)},
		"blanks at the end of a line":   {"*** Update File: a.go\n-package a  \n+package b\n", strings.Replace(start, "package a", "package b", 1)},
		"an empty line without a blank": {"*** Update File: a.go\n@@\n-package a\n+package b\n\n func one() int {\n", strings.Replace(start, "package a", "package b", 1)},
	} {
		t.Run(name, func(t *testing.T) {
			put(t, d.Dir, map[string]string{"a.go": start})
			wantIn(t, use(t, d, "apply_patch", args{"patch": c.patch}), "updated a.go")
			if got := read(t, d.Dir, "a.go"); got != c.want {
				t.Errorf("got:\n%s", got)
			}
		})
	}
}

func TestPatchAddsDeletesAndMoves(t *testing.T) {
	d := world(t)
	got := use(t, d, "apply_patch", args{"patch": "*** Begin Patch\n*** Add File: new/a.txt\n+one\n+two\n*** Delete File: main.go\n" +
		"*** Update File: crlf.txt\n*** Move to: moved.txt\n@@\n one\n-two\n+2\n*** End Patch"})
	wantIn(t, got, "added new/a.txt", "deleted main.go", "moved crlf.txt to moved.txt")
	if read(t, d.Dir, "new/a.txt") != "one\ntwo\n" || read(t, d.Dir, "moved.txt") != "one\r\n2\r\nthree\r\n" {
		t.Errorf("%q, %q", read(t, d.Dir, "new/a.txt"), read(t, d.Dir, "moved.txt"))
	}
	for _, gone := range []string{"main.go", "crlf.txt"} {
		if _, err := os.Lstat(filepath.Join(d.Dir, gone)); err == nil {
			t.Errorf("%s is still there", gone)
		}
	}
	got = use(t, d, "apply_patch", args{"patch": "--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1 @@\n+hello\n\\ No newline at end of file\n--- a/new/a.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n"})
	wantIn(t, got, "added b.txt", "deleted new/a.txt")
}

func TestPatchAsModelsWriteItIsUnderstood(t *testing.T) {
	d := world(t)
	for name, c := range map[string]struct{ patch, want string }{
		"a blank line between sections": {"*** Update File: a.txt\n@@\n-ONE\n+one\n\n*** Update File: b.txt\n@@\n-x\n+y\n", "one\ntwo\ny\n"},
		"blank lines between diffs":     {"--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-ONE\n+one\n two\n\n\ndiff --git a/b.txt b/b.txt\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-x\n+y\n", "one\ntwo\ny\n"},
		"a blank line between hunks":    {"*** Update File: a.txt\n@@\n-ONE\n+one\n\n@@\n-two\n+2\n\n*** End Patch", "one\n2\nx\n"},
		"a fence around it":             {"```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-ONE\n+one\n two\n```\n", "one\ntwo\nx\n"},
		"a fence without a language":    {"```\n*** Update File: b.txt\n@@\n-x\n+y\n```", "ONE\ntwo\ny\n"},
	} {
		t.Run(name, func(t *testing.T) {
			put(t, d.Dir, map[string]string{"a.txt": "ONE\ntwo\n", "b.txt": "x\n"})
			wantIn(t, use(t, d, "apply_patch", args{"patch": c.patch}), "updated ")
			if got := read(t, d.Dir, "a.txt") + read(t, d.Dir, "b.txt"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	put(t, d.Dir, map[string]string{"a.txt": "ONE\n\ntwo\n", "b.txt": "x\n"})
	wantIn(t, use(t, d, "apply_patch", args{"patch": "*** Update File: a.txt\n@@\n ONE\n+1.5\n\n*** Update File: b.txt\n@@\n-x\n+y\n"}), "updated a.txt")
	if got := read(t, d.Dir, "a.txt"); got != "ONE\n1.5\n\ntwo\n" {
		t.Errorf("a blank line that is there: %q", got)
	}
	got := use(t, d, "apply_patch", args{"patch": "diff --git a/b.txt b/c.txt\nsimilarity index 100%\nrename from b.txt\nrename to c.txt\n"})
	wantIn(t, got, "moved b.txt to c.txt")
	if read(t, d.Dir, "c.txt") != "y\n" {
		t.Error("the renamed file is not whole")
	}
}

func TestPatchIsAppliedWholeOrNotAtAll(t *testing.T) {
	d := world(t)
	put(t, d.Dir, map[string]string{"twice.txt": "x\nx\n"})
	good := "*** Update File: main.go\n@@\n-package main\n+package other\n"
	for name, c := range map[string]struct{ patch, want string }{
		"no file":                  {"just text", "names no file"},
		"no patch":                 {"", "names no file"},
		"a line of no kind":        {"*** Update File: main.go\n@@\n package main\nfunc\n", "line 4 of the patch"},
		"lines that are not there": {good + "*** Update File: crlf.txt\n@@\n one\n-zwei\n+2\n", "hunk 1 of crlf.txt does not fit"},
		"several places":           {good + "*** Update File: twice.txt\n@@\n-x\n+y\n", "fits in 2 places"},
		"a file twice":             {good + good, "main.go twice"},
		"a file that is there":     {good + "*** Add File: crlf.txt\n+x\n", "is there already"},
		"moved onto a file":        {"*** Update File: main.go\n*** Move to: crlf.txt\n@@\n-package main\n+package other\n", "is there already"},
		"moved outside":            {"*** Update File: main.go\n*** Move to: ../x\n@@\n-package main\n+package other\n", `holds ".."`},
		"a file that is not":       {good + "*** Delete File: nowhere\n", "no file nowhere"},
		"outside":                  {good + "*** Add File: ../x\n+x\n", `holds ".."`},
		"git's own":                {good + "*** Add File: .git/hooks/x\n+x\n", "belongs to git"},
		"a binary name":            {good + "*** Add File: a\x00b\n+x\n", "zero byte"},
	} {
		t.Run(name, func(t *testing.T) {
			got := use(t, d, "apply_patch", args{"patch": c.patch})
			if !strings.HasPrefix(got, "error:") || !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			wantIn(t, read(t, d.Dir, "main.go"), "package main")
		})
	}
}

func FuzzPatchNeverPanics(f *testing.F) {
	f.Add("*** Update File: a\n@@ -1 +1 @@\n-a\n+b\n", "a\nb\n")
	f.Add("--- a/a\n+++ b/a\n@@ -9999999999999999999 +1 @@\n+b", "")
	f.Fuzz(func(t *testing.T, patch, text string) {
		files, err := toolbox.ParsePatch(nil, patch)
		if err != nil {
			return
		}
		for _, file := range files {
			if file.What == toolbox.PatchUpdate {
				_, _ = file.Update(text)
			}
		}
	})
}

func TestCallsAreKept(t *testing.T) {
	d := world(t)
	const secret = "sk-very-secret-value"
	run(t, d, Options{Environ: []string{"PATH=/usr/bin:/bin", "MY_API_KEY=" + secret}},
		calls("write_file", `{"path":"../`+secret+`","content":""}`, "bash", `{}`, "run_command", `{"command":"true"}`), calls(toolbox.SubmitReply, doneReply))
	audit := read(t, d.AttemptDir, "audit.jsonl")
	if strings.Contains(audit, secret) {
		t.Error("the audit holds a secret")
	}
	var got []string
	for line := range strings.Lines(audit) {
		var a auditLine
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		got = append(got, a.Tool+" "+string(a.Tier)+" "+toolbox.Cut(nil, a.Outcome, 8))
	}
	want := "write_file write error: .…|bash  error: t…|run_command destructive ok|submit_reply read ok"
	if strings.Join(got, "|") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "|"), want)
	}
}
