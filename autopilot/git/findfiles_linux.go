package git

import (
	"os"

	"golang.org/x/sys/unix"
)

// oneUsers says whether the folders are this user's, else git may refuse them, and from lies on the same file system as
// top, beyond which git does not look.
func oneUsers(from, top, gitDir string) bool {
	var start, root, own unix.Stat_t
	if unix.Lstat(from, &start) != nil || unix.Lstat(top, &root) != nil || unix.Lstat(gitDir, &own) != nil {
		return false
	}
	user := uint32(os.Geteuid())
	return start.Dev == root.Dev && root.Uid == user && own.Uid == user && own.Mode&unix.S_IFMT == unix.S_IFDIR
}
