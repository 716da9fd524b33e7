package toolbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// maxWritten bounds what one call may write, in bytes.
const maxWritten = 5_000_000

type writeArgs struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

func (b *Box) writeFile() Tool {
	return define("write_file",
		"Write a file, whole.",
		schema("path content", "path:string", "content:string"),
		func(_ context.Context, a writeArgs) (string, error) {
			rel, err := b.tree.writable(a.Path)
			if err != nil {
				return "", err
			}
			if err := b.tree.write(rel, a.Content); err != nil {
				return "", err
			}
			return fmt.Sprintf("wrote %s, %d lines", rel, strings.Count(a.Content, "\n")), nil
		})
}

// write replaces a file's bytes. An existing file keeps its mode.
func (t *Tree) write(rel, content string) error {
	if len(content) > maxWritten {
		return fmt.Errorf("the content has %d bytes; at most %d are written", len(content), maxWritten)
	}
	info, err := t.root.Lstat(rel)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a folder", rel)
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("%s is no regular file", rel)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("looking at %s: %w", rel, err)
	}
	if err := t.root.MkdirAll(path.Dir(rel), 0o755); err != nil {
		return fmt.Errorf("making the folder of %s: %w", rel, err)
	}
	if err := t.root.WriteFile(rel, []byte(content), 0o644); err != nil {
		return fmt.Errorf("writing %s: %w", rel, err)
	}
	return nil
}
