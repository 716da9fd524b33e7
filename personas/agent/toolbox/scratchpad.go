package toolbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"autopilot/autopilot/plainfile"
)

type scratchArgs struct {
	Name    string `json:"name"`
	Content string `json:"content"`
}

func (b *Box) scratchpadWrite() Tool {
	return define("scratchpad_write",
		"Write a file of the scratchpad.",
		schema("name content", "name:string", "content:string"),
		func(_ context.Context, a scratchArgs) (string, error) {
			if a.Name == "" || a.Name != filepath.Base(a.Name) || !filepath.IsLocal(a.Name) || a.Name == "." {
				return "", errors.New("name must be a plain file name")
			}
			if len(a.Content) > maxWritten {
				return "", fmt.Errorf("the content has %d bytes; at most %d are written", len(a.Content), maxWritten)
			}
			if err := plainfile.MakeFolder(b.Dispatch.ScratchpadDir); err != nil {
				return "", fmt.Errorf("making the scratchpad: %w", err)
			}
			root, err := os.OpenRoot(b.Dispatch.ScratchpadDir)
			if err != nil {
				return "", fmt.Errorf("opening the scratchpad: %w", err)
			}
			defer root.Close()
			if err := root.WriteFile(a.Name, []byte(b.Mask.Replace(a.Content)), plainfile.PrivateFile); err != nil {
				return "", fmt.Errorf("writing the note: %w", err)
			}
			return "wrote " + filepath.Join(b.Dispatch.ScratchpadDir, a.Name), nil
		})
}
