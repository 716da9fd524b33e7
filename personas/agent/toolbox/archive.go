package toolbox

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"autopilot/autopilot/plainfile"
	"autopilot/personas"
)

// dropped stands in place of a result where nothing is kept of the dispatch.
const dropped = "(This result was dropped to save space. Call the tool again if it is still needed.)"

// Archive keeps what the conversation has no room for, in files that read_file
// opens.
type Archive struct {
	Dir  string // "" keeps nothing
	Tree string
	Mask *personas.Mask
	next int
}

// ResultsDir is where results of a dispatch are archived; "" where it keeps no record.
func ResultsDir(d personas.Dispatch) string {
	if d.AttemptDir == "" {
		return ""
	}
	return filepath.Join(d.AttemptDir, "results")
}

// Keep writes a text to a new file and gives its path as read_file takes it.
func (a *Archive) Keep(text string) (string, error) {
	if a.Dir == "" {
		return "", nil
	}
	if err := plainfile.MakeFolder(a.Dir); err != nil {
		return "", fmt.Errorf("making the folder of archived results: %w", err)
	}
	for {
		a.next++
		path := filepath.Join(a.Dir, fmt.Sprintf("%d.txt", a.next))
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, plainfile.PrivateFile)
		if errors.Is(err, fs.ErrExist) { // of an earlier dispatch of this attempt
			continue
		}
		if err != nil {
			return "", fmt.Errorf("archiving a result: %w", err)
		}
		_, err = io.WriteString(f, a.Mask.Replace(text))
		if err = errors.Join(err, f.Close()); err != nil {
			return "", fmt.Errorf("archiving a result: %w", err)
		}
		return a.shown(path), nil
	}
}

func (a *Archive) shown(path string) string {
	if rel, ok := within(a.Tree, path); ok {
		return filepath.ToSlash(rel)
	}
	return path
}

// Place is the line that stands for an archived result.
func Place(path, what, text string) string {
	if path == "" {
		return dropped
	}
	return fmt.Sprintf("(archived: the %d bytes, %d lines, of %s are in %s; read_file shows them)",
		len(text), strings.Count(text, "\n")+1, what, path)
}
