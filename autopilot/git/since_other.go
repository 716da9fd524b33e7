//go:build !unix

package git

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
