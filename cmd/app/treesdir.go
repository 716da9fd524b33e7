package app

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"autopilot/autopilot/git"
	"autopilot/cmd/console"
	"autopilot/config"
)

// TreesDir is the folder of a repository's clean working trees: outside of it, and the same in each run. It is "" where the
// environment names no place.
func TreesDir(h *console.Host, repo *git.Repo) string {
	dir, err := config.CacheDir(h.Environ)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256([]byte(repo.CommonDir()))
	return filepath.Join(dir, "trees", filepath.Base(repo.Root())+"-"+hex.EncodeToString(sum[:4]))
}
