package toolbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/process"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/tail"
)

const (
	MaxOutput = 30_000    // bytes of a command's output that a model gets
	maxKept   = 8_000_000 // bytes of it that go to a file when that is not the whole
)

// CommandArgs are the arguments of run_command.
type CommandArgs struct {
	Command string `json:"command"`
	Seconds int    `json:"timeout_seconds"`
}

// LastAlone stands in the first line of a result where exit code 0 is that of the last command of a pipe alone, and so no
// word on those before it.
const LastAlone = ", of the last command of its pipe alone: "

// brokenPipe is the exit code of a command that wrote to one which had ended.
const brokenPipe = 141

func (b *Box) runCommand() Tool {
	program := "an sh"
	if _, bash := process.Bash("", b.tree.Dir, b.environ); bash {
		program = "a bash"
	}
	return define("run_command",
		fmt.Sprintf("Run %s command in the repository root. Each call is a new shell without input. Long output is shortened; its first line names the file that has the whole. timeout_seconds: default %.0f.",
			program, b.longest.Seconds()),
		schema("command", "command:string", "timeout_seconds:integer"),
		func(ctx context.Context, a CommandArgs) (string, error) {
			if strings.TrimSpace(a.Command) == "" {
				return "", errors.New("command is missing")
			}
			if verb := shell.WritingGit(a.Command); verb != "" {
				return "", fmt.Errorf("git %s is refused: the program does all in git that writes; git_diff and git_show read, and an edit undoes", verb)
			}
			ground := shell.NewPathScope(b.tree.Dir, b.environ)
			ground.Free(b.Dispatch.OutDir, b.Dispatch.ScratchpadDir) // of a lane, they lie outside of its tree
			if b.confined.Sandbox {                                  // its home is not the user's
				ground.OwnHome()
			}
			if why := ground.Denial(a.Command); why != "" {
				return "", fmt.Errorf("refused: %s; work within the tree, or reply blocked and say what a human should do", why)
			}
			return b.shell(ctx, a)
		})
}

func (b *Box) shell(ctx context.Context, a CommandArgs) (string, error) {
	out, whole := tail.NewEnds(MaxOutput/2, MaxOutput/2), tail.NewEnds(maxKept/2, maxKept/2)
	told, kept := b.Mask.KnownWriter(out), b.Mask.Writer(whole)
	c, bash := process.Bash(a.Command, b.tree.Dir, b.environ)
	c.Output, c.LockFile = io.MultiWriter(sign(b.Beat), told, kept), b.Dispatch.LockFile
	c.Timeout = b.longest
	if a.Seconds > 0 {
		c.Timeout = min(b.longest, time.Duration(a.Seconds)*time.Second)
	}
	c, err := b.confine(c)
	if err != nil {
		return "", err
	}
	result, err := process.Run(ctx, c)
	if err = errors.Join(err, told.Close(), kept.Close()); err != nil {
		return "", fmt.Errorf("the command could not be run: %w", err)
	}
	alone := ""
	switch {
	case bash && result.ExitCode == brokenPipe && shell.EndsInPipe(a.Command): // the commands behind it ended well
		result.ExitCode, alone = 0, LastAlone+"it ended before those before it"
	case !bash && result.ExitCode == 0 && shell.HasPipe(a.Command):
		alone = LastAlone + "there is no bash"
	}
	head := fmt.Sprintf("exit code %d after %s%s", result.ExitCode, result.Duration.Round(100*time.Millisecond), alone)
	switch {
	case result.TimedOut != process.NoLimit:
		head = fmt.Sprintf("ended by the time limit of %s", c.Timeout)
	case result.Signal != "":
		head += ", by " + result.Signal
	}
	shown := out.Text(gap)
	if out.Dropped() > 0 { // what is left out may be the rest of what looks like a key
		shown = whole.Within(MaxOutput/2, MaxOutput/2).Text(gap)
		head += b.kept(whole)
	}
	return head + "\n" + OrNoOutput(shown), nil
}

// sign is a writer to which every write is a sign of life.
type sign func()

func (s sign) Write(p []byte) (int, error) {
	if s != nil {
		s()
	}
	return len(p), nil
}

// kept puts an output into a file, and says so where a shortened result begins:
// there it outlives what is shortened later.
func (b *Box) kept(output *tail.Ends) string {
	text := output.Text(gap)
	path, err := b.Archive.Keep(text)
	if path == "" || err != nil { // the output's ends are still of use
		return ""
	}
	what := "the whole output"
	if output.Dropped() > 0 {
		what = "more of the output"
	}
	return fmt.Sprintf("; %s, %d bytes, is in %s; read_file shows it", what, len(text), path)
}

// commandEnviron is the environment of commands: no secrets but those named, nothing that waits
// for a person, and what the dispatch adds.
func commandEnviron(environ, named []string, extra map[string]string) []string {
	env := append(withoutSecrets(environ, named), "GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true", "GIT_PAGER=cat", "PAGER=cat")
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		env = append(env, name+"="+extra[name])
	}
	return env
}
