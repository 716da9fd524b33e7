package storage

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
)

// Below lists what lies below a folder under names that match, one pattern a level, in their order. Unlike a pattern of the
// whole path it takes the folder's own name as it is, and a disk that fails is an error, and no folder with nothing in it.
func Below(disk Disk, folder string, patterns ...string) ([]string, error) {
	found := []string{folder}
	for level, pattern := range patterns {
		var next []string
		for _, dir := range found {
			some, err := matching(disk, dir, pattern, level == 0)
			if err != nil {
				return nil, err
			}
			next = append(next, some...)
		}
		found = next
	}
	return found, nil
}

// matching lists what a folder holds under a name that matches. No folder holds nothing, and nor does a file or a link,
// unless the search begins there.
func matching(disk Disk, dir, pattern string, first bool) ([]string, error) {
	if info, err := disk.Lstat(dir); !first && err == nil && !info.IsDir() {
		return nil, nil
	}
	entries, err := disk.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var found []string
	for _, entry := range entries {
		if fits, err := isNamed(entry.Name(), pattern); err != nil {
			return nil, err
		} else if fits {
			found = append(found, filepath.Join(dir, entry.Name()))
		}
	}
	return found, nil
}

// isNamed says whether a name is the one that is wanted, or matches it.
func isNamed(name, pattern string) (bool, error) {
	if !strings.ContainsAny(pattern, "*?[") {
		return name == pattern, nil
	}
	return filepath.Match(pattern, name)
}
