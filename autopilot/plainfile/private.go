package plainfile

import (
	"errors"
	"io/fs"
	"os"
)

// PrivateFile and PrivateFolder are the modes of what autopilot writes for itself, in .harness and in its part of the git
// folder: nobody else reads it, whatever the umask says. What users commit, or edit by hand, has the modes of their umask.
const (
	PrivateFile   fs.FileMode = 0o600
	PrivateFolder fs.FileMode = 0o700
)

// MakeFolder makes a private folder and those above it. The folder .harness itself stays open to those who may read the
// repository: working trees are below it, in which tests may run as another user. No link out of the folder that it lies in is
// followed.
func MakeFolder(path string) error {
	return InHome(path, func(root *os.Root, name string) error {
		return errors.Join(root.MkdirAll(".harness", 0o755), root.MkdirAll(name, PrivateFolder))
	}, func() error { return os.MkdirAll(path, PrivateFolder) })
}

// Create makes a private file, or empties the one that is there.
func Create(path string) (*os.File, error) {
	return OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, PrivateFile)
}
