package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

type editArgs struct {
	Path string `json:"path"`
	Old  string `json:"old"`
	New  string `json:"new"`
	All  bool   `json:"all"`
}

func (b *toolbox) editFile() tool {
	return define("edit_file",
		"Replace a piece of a file. old must occur exactly once, so give enough lines around it; with all, every occurrence is replaced.",
		`{"type": "object", "required": ["path", "old", "new"], "properties": {
			"path": {"type": "string", "description": "relative to the working tree"},
			"old": {"type": "string", "description": "the exact text, without line numbers"},
			"new": {"type": "string"},
			"all": {"type": "boolean"}}}`,
		func(_ context.Context, a editArgs) (string, error) {
			rel, err := b.tree.writable(a.Path)
			if err != nil {
				return "", err
			}
			text, err := b.tree.text(rel)
			if err != nil {
				return "", err
			}
			changed, n, err := replace(text, a)
			if err != nil {
				return "", err
			}
			if err := b.tree.write(rel, changed); err != nil {
				return "", err
			}
			return fmt.Sprintf("replaced %d in %s", n, rel), nil
		})
}

func (t *tree) text(rel string) (string, error) {
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
func replace(text string, a editArgs) (string, int, error) {
	if strings.Contains(text, "\r\n") && !strings.Contains(a.Old+a.New, "\r") {
		a.Old, a.New = strings.ReplaceAll(a.Old, "\n", "\r\n"), strings.ReplaceAll(a.New, "\n", "\r\n")
	}
	switch n := strings.Count(text, a.Old); {
	case a.Old == "":
		return "", 0, errors.New("old is empty; use write_file to make a file")
	case a.Old == a.New:
		return "", 0, errors.New("old and new are the same")
	case n == 0:
		return "", 0, fmt.Errorf("old does not occur in %s%s", a.Path, nearest(text, a.Old))
	case n > 1 && !a.All:
		return "", 0, fmt.Errorf("old occurs %d times in %s (lines %s); give more of the lines around it, or set all", n, a.Path, occurrences(text, a.Old))
	default:
		return strings.ReplaceAll(text, a.Old, a.New), n, nil
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
