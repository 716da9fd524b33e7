package look

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// tail prints what is added to a file until the context ends; that is how a person leaves, and no error.
func (o *logOptions) tail(ctx context.Context, g *growing, shown *logText) error {
	ticker := time.NewTicker(200 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
			added, err := g.added()
			if err != nil {
				return err
			}
			if _, err := fmt.Fprint(o.host.Out, shown.of(readable(string(added)))); err != nil {
				return err
			}
		}
	}
}

// growing is a file of lines that others write.
type growing struct {
	path string
	at   int64       // what is before it was read
	file fs.FileInfo // as it was then; nil: not known
}

// added gives the whole lines that came since. A file that took its place, as with --restart, is read from its beginning.
func (g *growing) added() ([]byte, error) {
	f, err := os.Open(g.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() < g.at || g.file != nil && !os.SameFile(g.file, info) {
		g.at = 0
	}
	g.file = info
	data, err := io.ReadAll(io.NewSectionReader(f, g.at, info.Size()-g.at))
	data = data[:bytes.LastIndexByte(data, '\n')+1]
	g.at += int64(len(data))
	return data, err
}
