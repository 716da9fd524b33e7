package plainfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// PrivateFile and PrivateFolder are the modes of what autopilot writes for itself, in .harness and in its part of the git
// folder: nobody else reads it, whatever the umask says. What users commit, or edit by hand, has the modes of their umask.
const (
	PrivateFile   fs.FileMode = 0o600
	PrivateFolder fs.FileMode = 0o700
)

// MakeFolder makes a private folder and those above it. The folder .harness itself stays open to those who may read the
// repository: working trees are below it, in which tests may run as another user.
func MakeFolder(path string) error {
	const harness = string(filepath.Separator) + ".harness"
	if at := strings.Index(path+string(filepath.Separator), harness+string(filepath.Separator)); at >= 0 {
		return errors.Join(os.MkdirAll(path[:at+len(harness)], 0o755), os.MkdirAll(path, PrivateFolder))
	}
	return os.MkdirAll(path, PrivateFolder)
}

// Create makes a private file, or empties the one that is there.
func Create(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, PrivateFile)
}
