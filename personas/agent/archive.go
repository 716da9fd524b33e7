package agent

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"autopilot/personas"
)

// dropped stands in place of a result where nothing is kept of the dispatch.
const dropped = "(This result was dropped to save space. Call the tool again if it is still needed.)"

// archive keeps what the conversation has no room for, in files that read_file
// opens.
type archive struct {
	dir  string // "" keeps nothing
	tree string
	mask *personas.Mask
	next int
}

// resultsDir is where results of a dispatch are archived; "" where it keeps no record.
func resultsDir(d personas.Dispatch) string {
	if d.AttemptDir == "" {
		return ""
	}
	return filepath.Join(d.AttemptDir, "results")
}

// keep writes a text to a new file and gives its path as read_file takes it.
func (a *archive) keep(text string) (string, error) {
	if a.dir == "" {
		return "", nil
	}
	if err := os.MkdirAll(a.dir, 0o755); err != nil {
		return "", fmt.Errorf("making the folder of archived results: %w", err)
	}
	for {
		a.next++
		path := filepath.Join(a.dir, fmt.Sprintf("%d.txt", a.next))
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if errors.Is(err, fs.ErrExist) { // of an earlier dispatch of this attempt
			continue
		}
		if err != nil {
			return "", fmt.Errorf("archiving a result: %w", err)
		}
		_, err = io.WriteString(f, a.mask.Replace(text))
		if err = errors.Join(err, f.Close()); err != nil {
			return "", fmt.Errorf("archiving a result: %w", err)
		}
		return a.shown(path), nil
	}
}

func (a *archive) shown(path string) string {
	if rel, ok := within(a.tree, path); ok {
		return filepath.ToSlash(rel)
	}
	return path
}

// place is the line that stands for an archived result.
func place(path, what, text string) string {
	if path == "" {
		return dropped
	}
	return fmt.Sprintf("(archived: the %d bytes, %d lines, of %s are in %s; read_file shows them)",
		len(text), strings.Count(text, "\n")+1, what, path)
}
