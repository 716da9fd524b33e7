package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"autopilot/autopilot/git"
)

type logOptions struct {
	host *Host

	follow bool
	lines  int
}

func newLog(h *Host) *cobra.Command {
	o := &logOptions{host: h}
	c := &cobra.Command{
		Use: "log SPEC.md", Short: "Print what a session did, a line an event",
		Example: "  autopilot log docs/spec.md\n  autopilot log docs/spec.md -f", Args: oneSpec,
		RunE: func(c *cobra.Command, args []string) error { return runLog(c.Context(), o, args[0]) },
	}
	c.Flags().BoolVarP(&o.follow, "follow", "f", false, "go on printing what is added, until Ctrl-C")
	c.Flags().IntVarP(&o.lines, "lines", "n", 200, "how many of the last lines; 0 is all")
	return c
}

func runLog(ctx context.Context, o *logOptions, spec string) error {
	if o.lines < 0 {
		return usageError("-n wants how many lines, 0 for all: autopilot log docs/spec.md -n 20")
	}
	w, err := findWorkspace(ctx, o.host, spec, git.Find)
	if err != nil {
		return err
	}
	path := filepath.Join(w.session, "progress.txt")
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		if _, err := os.Stat(w.session); err != nil {
			return usageError("there is no session for %s yet. Start one: autopilot %s", w.rel, quoteArg(w.rel))
		}
		err = nil
	}
	if err != nil {
		return err
	}
	if _, err := io.WriteString(o.host.Out, readable(lastLines(string(data), o.lines))); err != nil || !o.follow {
		return err
	}
	return o.tail(ctx, path, int64(len(data)))
}

// lineKey ends a line that is written once; it is for the program, not for a reader.
var lineKey = regexp.MustCompile(`(?m) \{#\S+\}$`)

func readable(lines string) string { return lineKey.ReplaceAllString(clean(lines), "") }

// lastLines keeps the last n lines of a text; 0 keeps all.
func lastLines(text string, n int) string {
	lines := strings.SplitAfter(text, "\n")
	if n <= 0 || len(lines) <= n {
		return text
	}
	return strings.Join(lines[len(lines)-n-1:], "")
}

// tail prints what is added to a file until the context ends; that is how a person leaves, and no error.
func (o *logOptions) tail(ctx context.Context, path string, from int64) error {
	ticker := time.NewTicker(200 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
			added, err := readFrom(path, from)
			if err != nil {
				return err
			}
			from += int64(len(added))
			if _, err := fmt.Fprint(o.host.Out, readable(string(added))); err != nil {
				return err
			}
		}
	}
}

// readFrom reads a file's whole lines from an offset on.
func readFrom(path string, from int64) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(f)
	return data[:strings.LastIndexByte(string(data), '\n')+1], err
}
