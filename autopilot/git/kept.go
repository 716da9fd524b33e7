package git

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// What Watch keeps is too large for a journal: it lies in files of the git folder named after their SHA-256, and the
// Guard holds the names.
type kept struct {
	*runner
	copies sync.Map // by SHA-256: an agent can delete the files
}

func (r *kept) keptFile(sum string) string {
	return filepath.Join(r.gitDir, "autopilot", "kept", sum)
}

func (r *kept) keep(data []byte) (sum string, err error) {
	digest := sha256.Sum256(data)
	sum = hex.EncodeToString(digest[:])
	r.copies.Store(sum, data)
	if _, err := r.readKept(sum); err == nil {
		return sum, nil
	}
	return sum, r.replaceFile(r.keptFile(sum), data)
}

// recall is what was kept: in the process that kept it from memory, where nobody can damage it, later from the files.
func (r *kept) recall(sum string) ([]byte, error) {
	if copied, ok := r.copies.Load(sum); ok {
		return copied.([]byte), nil
	}
	return r.readKept(sum)
}

func (r *kept) readKept(sum string) ([]byte, error) {
	data, err := os.ReadFile(r.keptFile(sum))
	digest := sha256.Sum256(data)
	if errors.Is(err, fs.ErrNotExist) || err == nil && hex.EncodeToString(digest[:]) != sum {
		return nil, &KeptLostError{File: r.keptFile(sum)}
	}
	return data, err
}

// forget removes what earlier guards kept: only one dispatch at a time runs in a working tree.
func (r *kept) forget(but ...string) error {
	r.copies.Range(func(sum, _ any) bool {
		if !slices.Contains(but, sum.(string)) {
			r.copies.Delete(sum)
		}
		return true
	})
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
