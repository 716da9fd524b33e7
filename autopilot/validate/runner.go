package validate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/process"
	"autopilot/autopilot/tail"
	"autopilot/autopilot/validate/results"
)

// How much of an output stays in memory and in the state, in bytes, and what stands where something is left out.
const (
	headSize = 8 << 10
	tailSize = 24 << 10
	gap      = "\n[… %d bytes left out …]\n"
)

// Runner runs validations. Its zero value lacks only Now.
type Runner struct {
	Now func() time.Time

	Env       []string  // nil is the program's own environment
	Live      io.Writer // gets the output while it runs; may be nil
	OutputDir string    // folder for whole outputs, one file a run; empty keeps none
	LockFile  *os.File  // see process.Command

	// Watch is told of each command as it begins, and gets what it prints until it calls end; nil: nobody looks on.
	Watch func(command string) (prints io.Writer, end func())

	// Around is called in place of each command, and runs it; nil does no more than that. What it fails for keeps the command
	// from being judged.
	Around func(ctx context.Context, run func()) error

	// Mask gives a writer that takes secrets out of what is kept and shown of the output, before it is shortened; nil leaves them.
	Mask func(to io.Writer) io.WriteCloser
}

// Run runs v in root by sh -c and tells what it showed. It has no error: what
// keeps it from checking is an outcome too.
func (r Runner) Run(ctx context.Context, root string, v Validation) Evidence {
	c := process.Shell(v.Command, filepath.Join(root, filepath.FromSlash(v.Dir)))
	var e Evidence
	around := r.Around
	if around == nil {
		around = func(_ context.Context, run func()) error { run(); return nil }
	}
	if err := around(ctx, func() { e = r.run(ctx, c, v) }); err != nil {
		e.Outcome, e.Reason = CouldNotCheck, err.Error()
	}
	if e.Outcome == "" {
		e.Outcome, e.Reason = judge(c.Dir, v, e)
	}
	if e.Outcome == Failed {
		e.Signature = signature(e.FailedTests, e.Output)
	}
	return e
}

// run leaves the outcome open where the exit code has to decide.
func (r Runner) run(ctx context.Context, c process.Command, v Validation) Evidence {
	e := Evidence{Command: v.Command, Dir: v.Dir, Source: v.Source, ExitCode: -1, StartedAt: r.Now()}
	whole, err := r.outputFile(v.Command)
	if err != nil {
		e.Outcome, e.Reason = CouldNotCheck, err.Error()
		return e
	}
	kept := tail.NewEnds(headSize, tailSize)
	tests, files := results.NewTestReader(c.Dir, results.ReadersOf(c.Dir, v.Command)...), results.FindReports(c.Dir, v.Command)
	shown := []io.Writer{kept}
	if whole != nil {
		defer whole.Close()
		e.OutputFile = whole.Name()
		shown = append(shown, whole)
	}
	if r.Live != nil {
		shown = append(shown, r.Live)
	}
	if r.Watch != nil {
		prints, end := r.Watch(v.Command)
		defer end()
		shown = append(shown, prints)
	}
	masked := r.masked(io.MultiWriter(shown...))
	c.Env, c.Output, c.Timeout, c.LockFile = r.environment(), io.MultiWriter(masked, tests), v.Timeout, r.LockFile
	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
	}
	res, err := process.Run(ctx, c)
	if last := masked.Close(); err == nil {
		err = last
	}
	e.Duration, e.Output = res.Duration, kept.Text(gap)
	e.take(tests.Report(files))
	if err == nil || !isStartError(err) {
		e.ExitCode = res.ExitCode
	}
	e.Outcome, e.Reason = ended(res, err, c.Timeout)
	return e
}

func (r Runner) masked(to io.Writer) io.WriteCloser {
	if r.Mask == nil {
		return asItIs{to}
	}
	return r.Mask(to)
}

// asItIs passes everything on at once.
type asItIs struct{ io.Writer }

func (asItIs) Close() error { return nil }

// ended is the outcome of a run that the exit code does not decide.
func ended(res process.Result, err error, limit time.Duration) (Outcome, string) {
	switch {
	case res.Interrupted:
		return Interrupted, "it was interrupted"
	case err != nil:
		return CouldNotCheck, err.Error()
	case res.TimedOut != process.NoLimit:
		return TimedOut, fmt.Sprintf("it took longer than %s; make it faster or give it more time in the configuration", limit)
	}
	return "", ""
}

func isStartError(err error) bool {
	var start *process.StartError
	return errors.As(err, &start)
}

// environment keeps from a validation what would make it depend on this
// program: AUTOPILOT_ variables configure the program or belong to a dispatch,
// and GIT_ variables of a calling hook would turn the git of tests to the wrong
// repository. CI=true keeps test programs from watching and asking.
func (r Runner) environment() []string {
	env := r.Env
	if env == nil {
		env = os.Environ()
	}
	env = slices.DeleteFunc(slices.Clone(env), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return strings.HasPrefix(name, "AUTOPILOT_") || slices.Contains(gitPlaces, name)
	})
	if !slices.ContainsFunc(env, func(e string) bool { return strings.HasPrefix(e, "CI=") }) {
		env = append(env, "CI=true")
	}
	return env
}

var gitPlaces = []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_PREFIX"}

var notForNames = lazyregexp.New(`[^A-Za-z0-9]+`)

// outputFile is nil where no whole output is wanted.
func (r Runner) outputFile(command string) (*os.File, error) {
	if r.OutputDir == "" {
		return nil, nil
	}
	if err := plainfile.MakeFolder(r.OutputDir); err != nil {
		return nil, fmt.Errorf("making the folder for outputs: %w", err)
	}
	name := strings.Trim(notForNames.ReplaceAllString(command, "-"), "-")
	f, err := os.CreateTemp(r.OutputDir, name[:min(len(name), 40)]+"-*.log")
	if err != nil {
		return nil, fmt.Errorf("keeping the output of %s: %w", command, err)
	}
	return f, nil
}
