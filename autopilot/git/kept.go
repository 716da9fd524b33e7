package git

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// What Watch keeps is too large for a journal: it lies in files of the git folder named after their SHA-256, and the
// Guard holds the names.

func (r *Repo) keptFile(sum string) string {
	return filepath.Join(r.gitDir, "autopilot", "kept", sum)
}

func (r *Repo) keep(data []byte) (sum string, err error) {
	digest := sha256.Sum256(data)
	sum = hex.EncodeToString(digest[:])
	if _, err := r.recall(sum); err == nil {
		return sum, nil
	}
	return sum, r.replaceFile(r.keptFile(sum), data)
}

func (r *Repo) recall(sum string) ([]byte, error) {
	data, err := os.ReadFile(r.keptFile(sum))
	digest := sha256.Sum256(data)
	if errors.Is(err, fs.ErrNotExist) || err == nil && hex.EncodeToString(digest[:]) != sum {
		return nil, &KeptLostError{File: r.keptFile(sum)}
	}
	return data, err
}

// forget removes what earlier guards kept: only one dispatch at a time runs in a working tree.
func (r *Repo) forget(but ...string) error {
	entries, err := os.ReadDir(filepath.Dir(r.keptFile("any")))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, entry := range entries {
		if !slices.Contains(but, entry.Name()) {
			err = errors.Join(err, os.Remove(r.keptFile(entry.Name())))
		}
	}
	return err
}
