package agent

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

const mixedEnds = "a\r\nb\nc\nd\r\n"

func TestEditFindsWhatItIsGivenInAFileWithMixedLineEnds(t *testing.T) {
	d := world(t)
	for name, c := range map[string]struct{ text, before, after, want string }{
		"lines that end in LF":          {mixedEnds, "b\nc", "B\nC", "a\r\nB\nC\nd\r\n"},
		"lines that end in CR LF":       {mixedEnds + "e\r\n", "d\ne", "D\nx\nE", "a\r\nb\nc\nD\r\nx\r\nE\r\n"},
		"one line, replaced by several": {mixedEnds, "c", "C\nx", "a\r\nb\nC\nx\nd\r\n"},
		"one line of CR LF":             {mixedEnds, "d", "D\nx", "a\r\nb\nc\nD\r\nx\r\n"},
		"across both":                   {mixedEnds, "a\nb\nc", "A\nb\nC", "A\r\nb\nC\nd\r\n"},
		"CR LF alone":                   {"a\r\nb\r\n", "a", "A\nx", "A\r\nx\r\nb\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			put(t, d.Dir, map[string]string{"mixed.txt": c.text})
			wantIn(t, use(t, d, "edit_file", args{"path": "mixed.txt", "old": c.before, "new": c.after}), "replaced 1")
			if got := read(t, d.Dir, "mixed.txt"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestPatchLeavesTheLineEndsOfOtherLinesAlone(t *testing.T) {
	d := world(t)
	for name, c := range map[string]struct{ text, patch, want string }{
		"a line of LF":         {mixedEnds, " b\n-c\n+CC\n d\n", "a\r\nb\nCC\nd\r\n"},
		"a line of CR LF":      {mixedEnds, "-a\n+A\n+x\n b\n", "A\r\nx\r\nb\nc\nd\r\n"},
		"at the end":           {mixedEnds, " d\n+e\n", "a\r\nb\nc\nd\r\ne\r\n"},
		"without a last end":   {"a\nb", "-b\n+B\n", "a\nB"},
		"behind a missing end": {"a\nb", " b\n+c\n", "a\nb\nc"},
		"all of CR LF":         {"a\r\nb\r\n", "-b\n+B\n+c\n", "a\r\nB\r\nc\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			put(t, d.Dir, map[string]string{"mixed.txt": c.text})
			wantIn(t, use(t, d, "apply_patch", args{"patch": "*** Update File: mixed.txt\n@@\n" + c.patch}), "updated")
			if got := read(t, d.Dir, "mixed.txt"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestMovedFileKeepsItsMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no executable bit here")
	}
	d := world(t)
	put(t, d.Dir, map[string]string{"run.sh": "#!/bin/sh\necho a\n"})
	if err := os.Chmod(filepath.Join(d.Dir, "run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	wantIn(t, use(t, d, "apply_patch", args{"patch": "*** Update File: run.sh\n*** Move to: bin/run.sh\n@@\n-echo a\n+echo b\n"}), "moved")
	if info, err := os.Stat(filepath.Join(d.Dir, "bin/run.sh")); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestFileAddedWithoutLinesIsEmpty(t *testing.T) {
	d := world(t)
	wantIn(t, use(t, d, "apply_patch", args{"patch": "*** Begin Patch\n*** Add File: a/__init__.py\n*** Add File: b.txt\n+x\n*** End Patch\n"}), "added a/__init__.py", "added b.txt")
	if got, b := read(t, d.Dir, "a/__init__.py"), read(t, d.Dir, "b.txt"); got != "" || b != "x\n" {
		t.Errorf("%q, %q", got, b)
	}
}
