package toolbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"autopilot/personas"
)

type editArgs struct {
	Path string `json:"path"`
	Old  string `json:"old"`
	New  string `json:"new"`
	All  bool   `json:"all"`
}

func (b *Box) editFile() Tool {
	return define("edit_file",
		"Replace text in a file. old must match exactly, including whitespace, without the line numbers that read_file shows, and occur once; "+
			"set all to replace every occurrence.",
		schema("path old new", "path:string", "old:string", "new:string", "all:boolean"),
		func(_ context.Context, a editArgs) (string, error) {
			rel, err := b.tree.writable(a.Path)
			if err != nil {
				return "", err
			}
			text, err := b.tree.text(rel)
			if err != nil {
				return "", err
			}
			changed, n, err := replace(b.Mask, text, a)
			if err != nil {
				return "", err
			}
			if err := b.tree.write(rel, changed); err != nil {
				return "", err
			}
			return fmt.Sprintf("replaced %d in %s", n, rel), nil
		})
}

func (t *Tree) text(rel string) (string, error) {
	f, err := openRegular(t.root, rel, rel)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxWritten+1))
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", rel, err)
	}
	if len(text) > maxWritten {
		return "", fmt.Errorf("%s is too large to edit", rel)
	}
	return string(text), nil
}

// replace does an edit on a text. Models write \n, also for files with \r\n.
func replace(m *personas.Mask, text string, a editArgs) (string, int, error) {
	var ends []bool
	if !strings.Contains(a.Old+a.New, "\r") {
		text, ends = parted(text)
	}
	switch n := strings.Count(text, a.Old); {
	case a.Old == "":
		return "", 0, errors.New("old is empty; use write_file to make a file")
	case a.Old == a.New:
		return "", 0, errors.New("old and new are the same")
	case n == 0 && strings.Contains(text, withoutNumbers(a.Old)):
		return "", 0, errors.New("old holds the line numbers that read_file shows; they are not part of the file: give the lines without them, in new too")
	case n == 0:
		return "", 0, fmt.Errorf("old does not occur in %s%s", a.Path, nearest(m, text, a.Old))
	case n > 1 && !a.All:
		return "", 0, fmt.Errorf("old occurs %d times in %s (lines %s); give more of the lines around it, or set all", n, a.Path, occurrences(text, a.Old))
	case ends == nil:
		return strings.ReplaceAll(text, a.Old, a.New), n, nil
	default:
		return swapped(text, ends, a.Old, a.New), n, nil
	}
}

func occurrences(text, old string) string {
	var at []string
	for i, offset := 0, 0; len(at) < 10; offset = i + len(old) {
		next := strings.Index(text[offset:], old)
		if next < 0 {
			break
		}
		i = offset + next
		at = append(at, fmt.Sprint(1+strings.Count(text[:i], "\n")))
	}
	return strings.Join(at, ", ")
}
