package project

import (
	"errors"
	"fmt"
	"os"
)

// Scan looks at the files of a project: paths lists them, relative to root with slashes, so that the caller decides
// what belongs to the project (what git does not ignore). A file that is listed and not there is passed over, and so
// is one that leads out of root. An error names what could not be read; the profile holds the rest then.
func Scan(root string, paths []string) (Profile, error) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return Profile{}, fmt.Errorf("scanning the project: %w", err)
	}
	defer dir.Close()
	t := newTree(dir, paths)
	p := Profile{Version: Version, Languages: t.languages(), PackageManagers: t.managers(), Docs: t.docs()}
	p.Services = t.services(p.PackageManagers)
	t.commands(&p)
	return p, errors.Join(t.problems...)
}
