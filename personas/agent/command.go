package agent

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/process"
)

// maxOutput bounds the output of a command that a model gets, in bytes.
const maxOutput = 30_000

type commandArgs struct {
	Command string `json:"command"`
	Seconds int    `json:"timeout_seconds"`
}

func (b *toolbox) runCommand() tool {
	return define("run_command",
		"Run a shell command at the root of the working tree: build, test, look. It has no standard input and no terminal, "+
			"and all that it starts ends with it. Git commands that write are refused.",
		`{"type": "object", "required": ["command"], "properties": {
			"command": {"type": "string"},
			"timeout_seconds": {"type": "integer", "description": "left out: the longest allowed"}}}`,
		func(ctx context.Context, a commandArgs) (string, error) {
			if strings.TrimSpace(a.Command) == "" {
				return "", errors.New("command is missing")
			}
			if verb := writingGit(a.Command); verb != "" {
				return "", fmt.Errorf("git %s is refused: the program does all in git that writes; git_diff and git_show read, and an edit undoes", verb)
			}
			return b.shell(ctx, a)
		})
}

func (b *toolbox) shell(ctx context.Context, a commandArgs) (string, error) {
	out := &ends{limit: maxOutput, onWrite: b.beat}
	c := process.Shell(a.Command, b.tree.dir)
	c.Env, c.Output, c.LockFile = b.environ, out, b.d.LockFile
	c.Timeout = b.longest
	if a.Seconds > 0 {
		c.Timeout = min(b.longest, time.Duration(a.Seconds)*time.Second)
	}
	result, err := process.Run(ctx, c)
	if err != nil {
		return "", fmt.Errorf("the command could not be run: %w", err)
	}
	head := fmt.Sprintf("exit code %d after %s", result.ExitCode, result.Duration.Round(100*time.Millisecond))
	switch {
	case result.TimedOut != process.NoLimit:
		head = fmt.Sprintf("ended by the time limit of %s", c.Timeout)
	case result.Signal != "":
		head += ", by " + result.Signal
	}
	return head + "\n" + orNoOutput(out.String()), nil
}

// commandEnviron is the environment of commands: no secrets, nothing that waits
// for a person, and what the dispatch adds.
func commandEnviron(environ []string, extra map[string]string) []string {
	env := append(withoutSecrets(environ), "GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true", "GIT_PAGER=cat", "PAGER=cat")
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		env = append(env, name+"="+extra[name])
	}
	return env
}
