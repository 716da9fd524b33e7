package worktree

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/tail"
	"autopilot/autopilot/validate"
)

// Setup is what a new working tree gets before anything runs in it.
type Setup struct {
	Copy    []string // ignored paths, relative to the repository, with slashes
	Command string   // a command; "" is .harness/init.sh, where there is one
}

// Prepare copies ignored paths from one working tree into a new one and runs its setup there. It returns what the new one
// lacks all the same. What kept it from being ready is an error; the setup's output is part of it.
func Prepare(ctx context.Context, runner validate.Runner, f Setup, from, to string) ([]Lack, error) {
	if err := f.bring(ctx, runner, from, to); err != nil {
		return nil, err
	}
	return f.lacks(ctx, from, to), nil
}

func (f Setup) bring(ctx context.Context, runner validate.Runner, from, to string) error {
	for _, path := range f.Copy {
		if err := leadsBack(from, filepath.FromSlash(path)); err != nil {
			return fmt.Errorf("copying %s (worktree.copy): %w", path, err)
		}
		if err := copyInto(from, to, filepath.FromSlash(path)); err != nil {
			return fmt.Errorf("copying %s (worktree.copy): %w", path, err)
		}
	}
	setup := f.Command
	if setup == "" {
		script := filepath.Join(from, ".harness", InitScript)
		if _, err := os.Stat(script); err != nil {
			return seesOld(from, to) // no script, nothing to set up
		}
		if err := plainfile.Check(script); err != nil {
			return fmt.Errorf("%s cannot be run: %w; put a script in its place, or remove it", script, err)
		}
		setup = ScriptCommand(script)
	}
	e := runner.Run(ctx, to, validate.Validation{Command: setup, Source: "worktree.setup", ByCode: true})
	if e.Outcome == validate.Interrupted {
		return ctx.Err()
	}
	if e.Outcome != validate.Passed {
		return fmt.Errorf("setting the working tree up with %s: %s, exit code %d. %s\n%s", setup, e.Outcome, e.ExitCode, e.Reason, shortened(e.Output))
	}
	return nil
}

// copyInto copies a file or a folder, links as links. What is not there is passed over: a cache need not exist.
func copyInto(from, to, path string) error {
	if !filepath.IsLocal(path) {
		return errors.New("it lies outside the repository")
	}
	source, target := filepath.Join(from, path), filepath.Join(to, path)
	info, err := os.Stat(source)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	if info.IsDir() {
		return os.CopyFS(target, os.DirFS(source))
	}
	data, err := os.ReadFile(source)
	if err != nil {
		return err
	}
	return os.WriteFile(target, data, info.Mode().Perm())
}

// shortened is what stands of a setup's output in an error.
func shortened(output string) string {
	ends := tail.NewEnds(2000, 2000)
	_, _ = io.WriteString(ends, output) // it never fails
	return ends.Text("\n[… %d bytes …]\n")
}
