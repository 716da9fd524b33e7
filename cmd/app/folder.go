package app

import (
	"os"
	"path/filepath"
)

// NearestFolder is the folder of a path, or the nearest one above it that exists.
func NearestFolder(path string) string {
	dir := filepath.Dir(path)
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return dir
		}
		dir = parent
	}
}
