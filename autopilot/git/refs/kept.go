package refs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/plainfile"
)

// KeptLostError says that a copy that Watch had made is gone or altered.
type KeptLostError struct{ File string }

func (e *KeptLostError) Error() string {
	return fmt.Sprintf("the copy %s is missing or was altered, so that the repository cannot be put back by itself. "+
		"Compare with: git reflog && git status", e.File)
}

// keep keeps what is too large for a journal: in a file of the git folder named after its SHA-256, and in memory for as long
// as this process has the guard, since an agent can delete the file.
func (r Guards) keep(g *Guard, data []byte) (sum string, err error) {
	digest := sha256.Sum256(data)
	sum = hex.EncodeToString(digest[:])
	if g.copies == nil {
		g.copies = map[string][]byte{}
	}
	g.copies[sum] = data
	if _, err := r.readKept(sum); err == nil {
		return sum, nil
	}
	file := r.keptFile(sum)
	if err := plainfile.MakeFolder(filepath.Dir(file)); err != nil {
		return "", err
	}
	return sum, r.repo.Replace(file, data)
}

// recall is what was kept.
func (r Guards) recall(g Guard, sum string) ([]byte, error) {
	if data, ok := g.copies[sum]; ok {
		return data, nil
	}
	return r.readKept(sum)
}

// Has says whether a guard's copies are here. Those of a guard that another clone took are not.
func (r Guards) Has(g Guard) bool {
	_, err := r.recall(g, g.Refs)
	_, lost := errors.AsType[*KeptLostError](err)
	return !lost
}

func (r Guards) readKept(sum string) ([]byte, error) {
	data, err := os.ReadFile(r.keptFile(sum))
	digest := sha256.Sum256(data)
	if errors.Is(err, fs.ErrNotExist) || err == nil && hex.EncodeToString(digest[:]) != sum {
		return nil, &KeptLostError{File: r.keptFile(sum)}
	}
	return data, err
}

func (r Guards) keptFile(sum string) string {
	return filepath.Join(r.repo.GitDir(), "autopilot", "kept", sum)
}

// keepingFiles lists the refs below a prefix of the program's own that keep files of somebody's: what was uncommitted before a
// dispatch, what was put back after one. No run moves or deletes these.
func (r Guards) keepingFiles(ctx context.Context, prefix string) (refTable, error) {
	list, err := r.repo.Refs.List(ctx, prefix)
	table := refTable{}
	for _, ref := range list {
		if strings.Contains(ref.Name, "/user/") || strings.Contains(ref.Name, "/undone/") {
			table[ref.Name] = ref.Object
		}
	}
	return table, err
}

// keepOwn keeps the list of those below a prefix, if there are any.
func (r Guards) keepOwn(ctx context.Context, g *Guard, prefix string) error {
	table, err := r.keepingFiles(ctx, prefix)
	if err == nil && len(table) > 0 {
		g.Own, err = r.keep(g, table.bytes())
	}
	return err
}

// movedOwn lists those that were moved or deleted since. New ones are the program's.
func (r Guards) movedOwn(ctx context.Context, g Guard) ([]Moved, error) {
	if g.Own == "" {
		return nil, nil
	}
	list, err := r.recall(g, g.Own)
	if err != nil {
		return nil, err
	}
	before := parseRefTable(list)
	now, err := r.keepingFiles(ctx, git.OwnRefs)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(now, func(name, _ string) bool { return before[name] == "" })
	return before.moved(now), nil
}
