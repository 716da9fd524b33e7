package hub

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// quiet keeps the repository from running code of its own, and git from asking anybody.
var quiet = []string{"-c", "core.hooksPath=" + os.DevNull, "-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "core.quotepath=off", "-c", "advice.detachedHead=false"}

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

// Error is what git said when it failed.
type Error struct {
	Command string // without the values of options
	Said    string
}

func (e *Error) Error() string { return fmt.Sprintf("git %s: %s", e.Command, e.Said) }

// run runs git, and returns what it printed without the last line feed.
func (g git) run(ctx context.Context, args ...string) (string, error) {
	return g.call(ctx, call{args: args})
}

func (g git) call(ctx context.Context, c call) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append(append([]string{}, quiet...), c.args...)...)
	cmd.Dir, cmd.Stdin = g.dir, strings.NewReader(c.stdin)
	cmd.Env = append(append([]string{}, g.env...), "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
	if c.index != "" {
		cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+c.index)
	}
	if c.tree != "" {
		cmd.Env = append(cmd.Env, "GIT_DIR="+filepath.Join(g.dir, ".git"), "GIT_WORK_TREE="+c.tree)
		cmd.Dir = c.tree
	}
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		text := strings.TrimSpace(said.String() + out.String())
		if text == "" {
			text = err.Error()
		}
		return out.String(), &Error{c.args[0], text}
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

// lines splits what git printed; nothing is no line.
func lines(text string) []string {
	if text = strings.TrimRight(text, "\x00\n"); text == "" {
		return nil
	}
	return strings.FieldsFunc(text, func(r rune) bool { return r == 0 || r == '\n' })
}
