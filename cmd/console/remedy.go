package console

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"autopilot/autopilot/git"
	"autopilot/autopilot/plainfile"
)

// WithRemedy is all that is said of an error, to people and in JSON: its own words, and what to do where these do not tell.
func WithRemedy(err error) string {
	if code, known := knownCode(context.Background(), err); known && code != 1 {
		return err.Error()
	}
	return err.Error() + Remedy(err)
}

// Remedy is what to do about a refusal of the operating system, which can come from every place that reads or writes a
// file, and about a git that failed for a reason of its own, such as a signature that nobody could make; "" for any other
// error.
func Remedy(err error) string {
	where := "the files that it names"
	if file, ok := errors.AsType[*fs.PathError](err); ok {
		where = filepath.Dir(file.Path)
	} else if two, ok := errors.AsType[*os.LinkError](err); ok {
		where = filepath.Dir(two.New)
	}
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Sprintf("\nGive yourself read and write permission for %s, then run the same command again.", where)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "\nFree some disk space, then run the same command again."
	case errors.Is(err, syscall.EIO) && !strings.Contains(err.Error(), "check the disk"): // the journal says it itself
		return "\nCheck the disk, then run the same command again."
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ELOOP):
		return fmt.Sprintf("\nReplace %s with a folder, or remove it, then run the same command again.", obstacle(err))
	case errors.Is(err, plainfile.ErrNotPlain):
		return "\nReplace it with a plain file, or remove it, then run the same command again."
	case is[*git.KilledError](err):
		return "\nRun the same command again."
	case is[*git.CommandError](err):
		return "\nFix what git reports, then run the same command again."
	}
	return ""
}

// inTheWay says whether something is not of the kind that belongs in its place: a person put it there, and takes it away.
func inTheWay(err error) bool {
	return errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP) || errors.Is(err, plainfile.ErrNotPlain)
}

// obstacle is what the system found where a folder belongs: of a path that it could not follow, the part that is none.
func obstacle(err error) string {
	file, ok := errors.AsType[*fs.PathError](err)
	if !ok || !filepath.IsAbs(file.Path) {
		return "the file in the way"
	}
	path := file.Path
	for up := filepath.Dir(path); up != filepath.Dir(up); up = filepath.Dir(up) {
		if info, err := os.Stat(up); err == nil && info.IsDir() {
			break
		}
		path = up
	}
	return path
}
