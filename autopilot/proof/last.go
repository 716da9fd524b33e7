package proof

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"autopilot/autopilot/validate"
)

// Last is what a tree was asked last, with the answers: the work is handed in and then validated, and mostly nothing changes in
// between. The zero value remembers none.
type Last struct {
	control memory[validate.Evidence]
	old     memory[Answer]
	fresh   memory[Fresh]
}

// memory is the last question of a kind.
type memory[T any] struct {
	asking  sync.Mutex
	sum     string
	answers []T
}

// remembered gives the answers of the last question of a kind where this is the same about the same work, else those of ask.
func remembered[T any](t Tree, m *memory[T], q Question, ask func() ([]T, error)) ([]T, error) {
	m.asking.Lock()
	defer m.asking.Unlock()
	sum, err := t.sum(q)
	if err != nil || m.sum == sum {
		return m.answers, err
	}
	answers, err := ask()
	if err == nil {
		m.sum, m.answers = sum, answers
	}
	return answers, err
}

// last remembers nothing where the tree has no Last.
func (t Tree) last() *Last { return cmp.Or(t.Last, new(Last)) }

// sum is the same for the same question about the same work.
func (t Tree) sum(q Question) (string, error) {
	sum := sha256.New()
	if err := json.NewEncoder(sum).Encode(q); err != nil {
		return "", err
	}
	root, err := os.OpenRoot(t.Repo.Root())
	if err != nil {
		return "", err
	}
	defer root.Close()
	for _, path := range q.paths(Swap{}) {
		if err := addFile(sum, root, filepath.FromSlash(path)); err != nil {
			return "", fmt.Errorf("reading %s: %w", path, err)
		}
	}
	return string(sum.Sum(nil)), nil
}

// addFile adds what lay brings of a path.
func addFile(sum io.Writer, root *os.Root, path string) error {
	info, err := root.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		_, err = fmt.Fprintln(sum, path, "is not there")
		return err
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(sum, path, info.Mode(), info.Size())
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := root.Readlink(path)
		fmt.Fprintln(sum, target)
		return err
	}
	if !info.Mode().IsRegular() {
		return nil
	}
	file, err := root.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(sum, file)
	return err
}
