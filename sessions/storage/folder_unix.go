//go:build !windows

package storage

import (
	"errors"
	"os"
)

// RenameWhileOpen says that a folder with an open file in it can be renamed.
const RenameWhileOpen = true

func syncFolder(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
