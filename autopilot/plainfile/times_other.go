//go:build !unix

package plainfile

import (
	"os"
	"time"
)

func changedAt(path string) (time.Time, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}

// Inode is not known here.
func Inode(string) uint64 { return 0 }
