package git

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Refused is a new file that git cannot take into a commit. It counts as not there: else nothing else could be committed.
type Refused struct{ Path, Why string }

// refusal is why git cannot take a new file into a commit; "" where it can.
func (r *Repo) refusal(name string) string {
	for part := range strings.SplitSeq(name, "/") {
		if takenForGits(part) {
			return "git takes no file of that name, as some systems would take it for the folder .git"
		}
	}
	info, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(name)))
	switch {
	case err != nil:
		return ""
	case info.Mode()&fs.ModeSymlink != 0 && strings.EqualFold(path.Base(name), ".gitmodules"):
		return "git takes no link of that name"
	case info.Mode().IsRegular() && info.Mode()&0o400 == 0 && r.closed(name):
		return "its rights let nobody read it"
	}
	return ""
}

// closed says whether this user may not read a file.
func (r *Repo) closed(name string) bool {
	f, err := os.Open(filepath.Join(r.root, filepath.FromSlash(name)))
	if err == nil {
		f.Close()
	}
	return errors.Is(err, fs.ErrPermission)
}

// takenForGits says whether a file system that knows no case, or shortens names as Windows does, would find .git under a
// name; git refuses all of these everywhere.
func takenForGits(name string) bool {
	lower := strings.ToLower(name)
	rest, is := strings.CutPrefix(lower, ".git")
	if !is {
		rest, is = strings.CutPrefix(lower, "git~1")
	}
	rest = strings.TrimLeft(rest, ". ")
	return is && (rest == "" || rest[0] == '\\' || rest[0] == ':')
}
