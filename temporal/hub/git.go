package hub

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"autopilot/autopilot/lazyregexp"
)

// quiet keeps the repository from running code of its own, and git from asking anybody.
var quiet = []string{"-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false", "-c", "core.safecrlf=false", "-c", "maintenance.auto=false", "-c", "core.quotepath=off", "-c", "advice.detachedHead=false", "-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=60"}

// inherited are the variables by which a git that runs us, as a hook, would have ours work on something else.
var inherited = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"GIT_QUARANTINE_PATH", "GIT_NAMESPACE", "GIT_GRAFT_FILE", "GIT_SHALLOW_FILE", "GIT_IMPLICIT_WORK_TREE", "GIT_REPLACE_REF_BASE",
	"GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
}

// git is git in one folder.
type git struct {
	dir string
	env []string // of the process, for authentication as git has it
}

// call is one run of git.
type call struct {
	args  []string
	stdin string
	index string // an index file other than the working tree's own
	tree  string // a folder other than the working tree
}

// addresses are those that git repeats in what it says.
var addresses = lazyregexp.New(`[a-z+]+://[^\s'"]+`)

// Error is what git said when it failed.
type Error struct {
	Command string // without the values of options
	Said    string // without the logins of addresses
	Code    int    // its exit code; -1: it was killed, or never started
}

func (e *Error) Error() string { return fmt.Sprintf("git %s: %s", e.Command, e.Said) }

// run runs git, and returns what it printed without the last line feed.
func (g git) run(ctx context.Context, args ...string) (string, error) {
	out, err := g.call(ctx, call{args: args})
	return strings.TrimSuffix(out, "\n"), err
}

// longest is how long one call may take: a hub that says nothing any more holds nobody up for longer.
const longest = time.Hour

// call runs git, and returns what it printed. At the end of the context git is asked to end, so that it removes its locks.
func (g git) call(ctx context.Context, c call) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	if c.index != "" { // nobody else uses it: whoever made a lock was ended before it could remove that
		_ = os.Remove(c.index + ".lock")
	}
	cmd := exec.CommandContext(ctx, "git", append(append([]string{}, quiet...), c.args...)...)
	cmd.Dir, cmd.Stdin, cmd.Env = cmp.Or(c.tree, g.dir), strings.NewReader(c.stdin), g.environment(c)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second // for git, and for what it started
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		text := addresses.ReplaceAllStringFunc(strings.TrimSpace(said.String()+out.String()), WithoutLogin)
		return out.String(), &Error{c.args[0], cmp.Or(text, err.Error()), cmd.ProcessState.ExitCode()}
	}
	return out.String(), nil
}

// withKeepAlive has ssh notice a hub that says nothing any more, unless the user has a way of their own to reach it from a folder.
func withKeepAlive(ctx context.Context, dir string, env []string) []string {
	own := slices.ContainsFunc(env, func(kv string) bool {
		return strings.HasPrefix(kv, "GIT_SSH=") || strings.HasPrefix(kv, "GIT_SSH_COMMAND=")
	})
	if _, err := (git{dir, env}).run(ctx, "config", "core.sshCommand"); own || err == nil {
		return env
	}
	return append(slices.Clone(env), "GIT_SSH_COMMAND=ssh -o ServerAliveInterval=15 -o ServerAliveCountMax=4")
}

// environment is that of a call. Git looks for its folder nowhere above the working tree.
func (g git) environment(c call) []string {
	env := slices.DeleteFunc(slices.Clone(g.env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(inherited, name)
	})
	env = append(env, "GIT_TERMINAL_PROMPT=0", "LC_ALL=C", "GIT_CEILING_DIRECTORIES="+filepath.Dir(g.dir))
	if c.index != "" {
		env = append(env, "GIT_INDEX_FILE="+c.index)
	}
	if c.tree != "" {
		env = append(env, "GIT_DIR="+filepath.Join(g.dir, ".git"), "GIT_WORK_TREE="+c.tree)
	}
	return env
}

// lines splits what git printed; nothing is no line.
func lines(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
}
