//go:build !windows

package sessions

import (
	"errors"
	"os"
)

// renameWhileOpen says that a folder with an open file in it can be renamed.
const renameWhileOpen = true

func syncFolder(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
