package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"autopilot/autopilot/tail"
)

// quiet keeps a repository from running code of its own while it is read: no hooks, no file system monitor, no
// collection of garbage in the background. Line-ending checks would only turn warnings into failures here. What is printed
// of commits is UTF-8, whatever people have their terminals show.
var quiet = []string{
	"--no-optional-locks",
	"-c", "core.quotepath=off",
	"-c", "core.fsmonitor=false",
	"-c", "core.hooksPath=" + os.DevNull,
	"-c", "core.safecrlf=false",
	"-c", "i18n.logOutputEncoding=UTF-8",
	"-c", "gc.auto=0",
	"-c", "maintenance.auto=false",
}

// noLazyFetch has git fail where an object is missing in a partial clone.
const noLazyFetch = "GIT_NO_LAZY_FETCH=1"

// inherited are the variables by which a git that runs us (as a hook, say) would point our calls at its own
// repository, or change what paths mean.
var inherited = map[string]bool{
	"GIT_DIR": true, "GIT_WORK_TREE": true, "GIT_INDEX_FILE": true, "GIT_COMMON_DIR": true, "GIT_PREFIX": true,
	"GIT_OBJECT_DIRECTORY": true, "GIT_ALTERNATE_OBJECT_DIRECTORIES": true, "GIT_NAMESPACE": true,
	"GIT_IMPLICIT_WORK_TREE": true, "GIT_GRAFT_FILE": true, "GIT_SHALLOW_FILE": true, "GIT_QUARANTINE_PATH": true,
	"GIT_LITERAL_PATHSPECS": true, "GIT_GLOB_PATHSPECS": true, "GIT_NOGLOB_PATHSPECS": true,
	"GIT_ICASE_PATHSPECS": true, "GIT_EXTERNAL_DIFF": true, "GIT_DIFF_OPTS": true, "GIT_EDITOR": true,
	"GIT_SEQUENCE_EDITOR": true, "GIT_TERMINAL_PROMPT": true, "GIT_OPTIONAL_LOCKS": true, "GPG_TTY": true,
}

// runner runs git in one working tree.
type runner struct {
	root, gitDir, commonDir string
	found                   bool          // root is a working tree, and git need not look further up
	looked                  sync.Once     // for git
	git                     string        // the program
	longIDs                 bool          // the repository names its objects by SHA-256
	lockWait                time.Duration // how long a write waits for somebody else's index.lock
	patience                time.Duration // how long git may take to answer
	besides                 []string      // settings of each call: see ConfigFiles.LeaveFiltersOut
	keep                    []string      // see ConfigFiles.Keep
	pinned                  *pinned       // git's configuration as it was when the run began; nil: as it is
	exact                   sync.Once     // for exactCase
	exactCase               bool          // the file system tells upper and lower case apart
}

// call is one run of git at the root of the working tree.
type call struct {
	args  []string
	stdin []byte
	feed  func(io.Writer) error // writes a long standard input; instead of stdin
	index string                // an index file other than the working tree's own
	magic bool                  // pathspecs among args are patterns, not literal paths
	limit int                   // stop reading the output after so many bytes; 0 is all
	looks bool                  // it changes nothing, so that it can be repeated
	talks string                // the protocols by which it may talk to other repositories
}

// read runs git without standard input and hands back what it printed. Git has to answer in time.
func (r *runner) read(ctx context.Context, args ...string) ([]byte, error) {
	limited, stop := context.WithTimeout(ctx, r.patience)
	defer stop()
	out, _, err := r.run(limited, call{args: args, looks: true})
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return nil, &SilentError{Command: args[0], Waited: r.patience, For: pipeIn(r.root)}
	}
	return out, err
}

// answer is read with a standard input, to the end.
func (r *runner) answer(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	out, _, err := r.run(context.WithoutCancel(ctx), call{args: args, stdin: stdin, looks: true})
	return out, err
}

// write runs git with a standard input, to the end: one that is called off half-way may leave its lock file, and that is
// in the way of every later run.
func (r *runner) write(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	out, _, err := r.run(context.WithoutCancel(ctx), call{args: args, stdin: stdin})
	return out, err
}

// mostFetched is how many objects that a partial clone lacks are fetched for one call.
const mostFetched = 1000

// run is one call of git, repeated for a moment where an index.lock is in its way, and where an object was missing that could
// be fetched.
func (r *runner) run(ctx context.Context, c call) (out []byte, cut bool, err error) {
	for range mostFetched {
		err = r.patiently(ctx, func() error {
			out, cut, err = r.runAgain(ctx, c)
			return err
		})
		if missing, is := errors.AsType[*MissingObjectError](err); !is || !fetch(ctx, r, missing) {
			break
		}
	}
	return out, cut, err
}

// mostKilled is how often a call that changes nothing is made while something else kills it.
const mostKilled = 3

// runAgain is one call of git, repeated where it changes nothing and something else killed it.
func (r *runner) runAgain(ctx context.Context, c call) ([]byte, bool, error) {
	for n := 1; ; n++ {
		out, cut, err := r.runOnce(ctx, c)
		var killed *KilledError
		if !errors.As(err, &killed) {
			return out, cut, err
		}
		if killed.Times = n; !c.looks || n == mostKilled || ctx.Err() != nil {
			return out, cut, err
		}
	}
}

// patiently waits a moment for a lock of somebody else (an editor that looks at the repository takes it for
// milliseconds) before it gives up with a LockError.
func (r *runner) patiently(ctx context.Context, try func() error) error {
	// Git itself waits a little for some locks, so that counting the pauses would not do.
	enough := time.NewTimer(r.lockWait)
	defer enough.Stop()
	for {
		err := try()
		if _, ok := errors.AsType[*LockError](err); !ok {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-enough.C:
			return err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (r *runner) runOnce(ctx context.Context, c call) ([]byte, bool, error) {
	running, stop := context.WithCancel(ctx)
	defer stop()
	out := &limited{limit: c.limit, full: stop}
	stderr := &tail.Writer{Limit: mostWords} // filters of the user print there too
	pinned, err := r.pinned.environment()
	if err != nil {
		return nil, false, err
	}
	cmd := exec.CommandContext(running, r.program(), slices.Concat(quiet, r.caseSetting(), r.besides, c.args)...)
	cmd.Dir = r.root
	cmd.Env = append(c.environment(os.Environ()), pinned...)
	if r.found { // else a working tree that lost its link would be taken for a folder of the one around it
		cmd.Env = append(cmd.Env, "GIT_CEILING_DIRECTORIES="+filepath.Dir(r.root))
	}
	cmd.Stdout, cmd.Stderr = out, stderr
	cmd.Cancel = func() error { return endGently(cmd) }
	cmd.WaitDelay = 5 * time.Second
	apart(cmd)
	wait := c.connect(cmd)
	err = cmd.Run()
	feedErr := wait()
	switch {
	case out.cut:
		return out.kept.Bytes(), true, nil
	case ctx.Err() != nil:
		return nil, false, fmt.Errorf("git %s: %w", withoutSettings(c.args)[0], ctx.Err())
	case feedErr != nil:
		return nil, false, feedErr
	case err != nil:
		return out.kept.Bytes(), false, ended(c.args, err, lastWords(stderr))
	}
	return out.kept.Bytes(), false, nil
}

// program is where git lay when it was first called: an agent may put another one into a folder of PATH meanwhile.
func (r *runner) program() string {
	r.looked.Do(func() {
		r.git = "git" // where it is not found the call says so
		if path, err := exec.LookPath(r.git); err == nil {
			r.git = path
		}
	})
	return r.git
}

// connect gives the command its standard input; the function it returns waits until all of it was written.
func (c call) connect(cmd *exec.Cmd) (wait func() error) {
	if c.feed == nil {
		if len(c.stdin) > 0 { // else the null device is its end of file, without a pipe
			cmd.Stdin = bytes.NewReader(c.stdin)
		}
		return func() error { return nil }
	}
	from, to := io.Pipe()
	fed := make(chan error, 1)
	go func() {
		err := c.feed(to)
		to.CloseWithError(err)
		fed <- err
	}()
	cmd.Stdin = from
	return func() error {
		from.Close()
		if err := <-fed; !errors.Is(err, io.ErrClosedPipe) {
			return err
		}
		return nil
	}
}

// ended names how a git process ended: with an exit code, or never having started.
func ended(args []string, err error, stderr string) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) && !exit.Exited() {
		return &KilledError{Args: withoutSettings(args), How: exit.String(), Times: 1}
	}
	if errors.As(err, &exit) {
		return failure(withoutSettings(args), exit.ExitCode(), stderr)
	}
	return fmt.Errorf("running git: %w. Is it installed? Try: git --version", err)
}

// withoutSettings are the arguments from the command on: the settings before it help nobody who reads what failed.
func withoutSettings(args []string) []string {
	for len(args) > 2 && args[0] == "-c" {
		args = args[2:]
	}
	return args
}

// environment is that of a call without hooks, which talks to no other repository by itself: what a partial clone lacks is not
// fetched, since a remote may name any program. Git before 2.39.4 does not know noLazyFetch; no allowed protocol serves it.
func (c call) environment(env []string) []string {
	env = append(cleaned(env), "LC_ALL=C", "GIT_ALLOW_PROTOCOL="+c.talks)
	if c.talks != "" {
		env = append(env, "GIT_ASKPASS=", "SSH_ASKPASS_REQUIRE=never")
	}
	if !c.magic {
		env = append(env, "GIT_LITERAL_PATHSPECS=1")
	}
	if c.index != "" {
		env = append(env, "GIT_INDEX_FILE="+c.index)
	}
	return env
}

// cleaned is an environment in which git works on the repository it stands in and asks nobody anything.
func cleaned(env []string) []string {
	var kept []string
	for _, entry := range env {
		if name, _, _ := strings.Cut(entry, "="); !inherited[strings.ToUpper(name)] {
			kept = append(kept, entry)
		}
	}
	return append(kept, "GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=:", "GIT_SEQUENCE_EDITOR=:", "GIT_PAGER=cat", noLazyFetch)
}

// limited collects output up to a limit and then has its writer stopped. The buffer is no embedded field: io.Copy would
// find its ReadFrom and pass Write by.
type limited struct {
	kept  bytes.Buffer
	limit int
	full  func()
	cut   bool
}

func (l *limited) Write(p []byte) (int, error) {
	room := l.limit - l.kept.Len()
	if l.limit == 0 || len(p) <= room {
		return l.kept.Write(p)
	}
	l.kept.Write(p[:room])
	l.cut = true
	l.full()
	return len(p), nil
}

// caseSetting has git tell names apart by case wherever the file system does. A configuration that was brought from
// another system may say otherwise, and git would then not see a new name beside one that it knows.
func (r *runner) caseSetting() []string {
	if !r.found {
		return nil
	}
	r.exact.Do(func() {
		_, err := os.Lstat(filepath.Join(r.commonDir, "CoNfIg")) // by this git finds out as well
		r.exactCase = errors.Is(err, fs.ErrNotExist)
	})
	if !r.exactCase {
		return nil
	}
	return []string{"-c", "core.ignorecase=false"}
}

// mostWords is how much is told of what hooks, and git itself, print, in bytes: the reason stands at the end.
const mostWords = 16 << 10

// lastWords is the end of what was printed, of a long one from the beginning of a line.
func lastWords(w *tail.Writer) string {
	text := strings.TrimSpace(w.String())
	if w.Dropped() == 0 {
		return text
	}
	return "…" + text[strings.IndexByte(text, '\n')+1:]
}
