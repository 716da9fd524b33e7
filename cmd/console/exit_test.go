package console

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"autopilot/autopilot/git"
	"autopilot/autopilot/plainfile"
	"autopilot/sessions"
)

func TestRefusalOfTheOperatingSystemEndsWithWhatToDo(t *testing.T) {
	file := &fs.PathError{Op: "open", Path: "/repo/.harness/out/1", Err: syscall.EACCES}
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"a file":                {fmt.Errorf("EXECUTE (dispatch): %w", file), "permission for /repo/.harness/out, then run the same command again."},
		"a rename":              {&os.LinkError{Op: "rename", Old: "/a/b", New: "/c/d", Err: syscall.EROFS}, "permission for /c, then"},
		"no name":               {fmt.Errorf("git: %w", fs.ErrPermission), "for the files that it names, then"},
		"a full disk":           {&fs.PathError{Op: "write", Path: "/repo/x", Err: syscall.ENOSPC}, "Free some disk space, then run"},
		"a quota":               {&fs.PathError{Op: "write", Path: "/repo/x", Err: syscall.EDQUOT}, "Free some disk space, then run"},
		"a broken disk":         {fmt.Errorf("phase 1 of 2 (Greet): %w", &fs.PathError{Op: "open", Path: "/repo/x", Err: syscall.EIO}), "\nCheck the disk, then run the same command again.\n"},
		"the journal":           {&sessions.JournalError{Path: "j.jsonl", Err: syscall.EIO}, "check the disk, then run the same command to resume\n"},
		"its own words":         {UsageError("cannot read the spec: %v. Name another", file), "Name another\n"},
		"a failed git":          {fmt.Errorf("EXECUTE: %w", &git.CommandError{Args: []string{"commit"}, ExitCode: 128, Stderr: "gpg failed"}), "gpg failed\nFix what git reports, then run the same command again.\n"},
		"a full disk, by git":   {fmt.Errorf("EXECUTE: %w", &git.CommandError{Args: []string{"add"}, ExitCode: 128, Stderr: "fatal: sha1 file '/repo/.git/index.lock' write error. Out of diskspace"}), "diskspace\nFree some disk space, then run the same command again.\n"},
		"no space, by git":      {&git.CommandError{Args: []string{"add"}, ExitCode: 128, Stderr: "error: file write error: No space left on device"}, "device\nFree some disk space, then run the same command again.\n"},
		"a quota, by git":       {&git.CommandError{Args: []string{"add"}, ExitCode: 128, Stderr: "error: file write error: Disk quota exceeded"}, "exceeded\nFree some disk space, then run the same command again.\n"},
		"a full disk elsewhere": {&git.CommandError{Args: []string{"push"}, ExitCode: 1, Stderr: "remote: fatal: write error: No space left on device\nerror: failed to push"}, "to push\nFix what git reports, then run the same command again.\n"},
		"a broken disk, by git": {&git.CommandError{Args: []string{"add"}, ExitCode: 128, Stderr: "fatal: mmap failed: Input/output error"}, "error\nCheck the disk, then run the same command again.\n"},
		"a pipe":                {&fs.PathError{Op: "read", Path: "/repo/.harness/x", Err: plainfile.ErrNotPlain}, "Replace it with a plain file, or remove it, then run the same command again."},
		"something else":        {fmt.Errorf("no such thing"), "autopilot: no such thing\n"},
		"nothing to print":      {nil, ""},
	} {
		var out strings.Builder
		h := &Host{Err: &out}
		h.Explain(c.err)
		if !strings.Contains(filepath.ToSlash(out.String()), c.want) || (c.want == "") != (out.Len() == 0) {
			t.Errorf("%s: printed %q, want %q in it", name, out.String(), c.want)
		}
		if strings.Contains(c.want, "\n") && !strings.HasSuffix(out.String(), c.want) {
			t.Errorf("%s: more is said than its own words: %q", name, out.String())
		}
	}
}

func TestAMissingObjectIsForThePersonToFetch(t *testing.T) {
	err := fmt.Errorf("VERIFY: %w", &git.MissingObjectError{ID: "1234", Remote: "origin", Cause: fmt.Errorf("no route")})
	if code := ExitCode(t.Context(), err); code != 2 {
		t.Errorf("exit code %d", code)
	}
	if text := err.Error(); !strings.Contains(text, "(no route)\nFetch it") || !strings.HasSuffix(text, " origin 1234") {
		t.Errorf("it says %s", text)
	}
}
