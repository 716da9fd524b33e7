package git

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/tail"
)

// hooksRun is what git's own trace tells about the programs that a command started.
type hooksRun struct {
	names  []string // the hooks that ran, in order
	failed string   // the hook that ended with an error; "" when none did
	open   string   // the hook or program that had not ended; "" when all had
}

// mayStage names those of the hooks that can still change what is committed.
func (ran hooksRun) mayStage() string {
	var names []string
	for _, name := range ran.names {
		if slices.Contains([]string{"pre-commit", "prepare-commit-msg", "commit-msg"}, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// withHooks are the settings of a call in which the user's hooks run.
var withHooks = []string{
	"-c", "core.quotepath=off", "-c", "core.fsmonitor=false", "-c", "core.safecrlf=false", "-c", "gc.auto=0",
	"-c", "maintenance.auto=false", "-c", "i18n.commitEncoding=UTF-8",
}

// runWithHooks runs git so that the user's hooks apply, for at most the limit; then git, hooks and their children are
// ended and the lock files that they leave are removed.
func (r *Commits) runWithHooks(ctx context.Context, limit time.Duration, stdin []byte, args ...string) (hooksRun, error) {
	trace, err := r.tempFile("trace-*")
	if err != nil {
		return hooksRun{}, err
	}
	defer os.Remove(trace)
	if err := r.patiently(ctx, r.unlocked); err != nil {
		return hooksRun{}, err
	}
	running, stop := context.WithTimeout(ctx, limit)
	defer stop()
	output := &tail.Writer{Limit: mostWords}
	pinned, err := r.pinned.environment()
	if err != nil {
		return hooksRun{}, err
	}
	cmd := exec.CommandContext(running, r.program(), slices.Concat(withHooks, r.caseSetting(), args)...)
	cmd.Dir = r.root
	cmd.Env = append(append(cleaned(os.Environ()), pinned...), "GIT_LITERAL_PATHSPECS=1", "LANGUAGE=C", "GIT_TRACE2_EVENT="+trace)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), output, output
	cmd.Cancel = func() error { return endSoon(cmd) }
	cmd.WaitDelay = 2 * time.Second
	apart(cmd)
	err = cmd.Run()
	ran := readTrace(trace)
	if running.Err() != nil {
		endAll(cmd)
		r.removeLocks(cmd)
	}
	return ran, judge(ctx, running, args, err, ran, lastWords(output))
}

// removeLocks removes what a killed git commit leaves; the lock files were not there before it began.
func (r *Commits) removeLocks(cmd *exec.Cmd) {
	for _, lock := range r.locks() {
		_ = os.Remove(lock)
	}
	if cmd.Process != nil {
		_ = os.Remove(filepath.Join(r.gitDir, fmt.Sprintf("next-index-%d.lock", cmd.Process.Pid)))
	}
}

// judge names the way in which a command with hooks ended.
func judge(ctx, running context.Context, args []string, err error, ran hooksRun, output string) error {
	switch {
	case err == nil || errors.Is(err, exec.ErrWaitDelay) && running.Err() == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("git %s: %w", withoutSettings(args)[0], ctx.Err())
	case running.Err() != nil:
		return &HookError{Hook: ran.open, Output: output, TimedOut: true}
	case ran.failed != "":
		return &HookError{Hook: ran.failed, Output: output}
	case strings.Contains(output, "nothing to commit") || strings.Contains(output, "no changes added to commit"):
		return &NothingToCommitError{}
	}
	return ended(args, err, output)
}

// traced is a line of GIT_TRACE2_EVENT.
type traced struct {
	Event string   `json:"event"`
	SID   string   `json:"sid"` // with a slash for a git that was started by this one
	Child int      `json:"child_id"`
	Class string   `json:"child_class"`
	Hook  string   `json:"hook_name"`
	Argv  []string `json:"argv"`
	Code  int      `json:"code"`
}

// longestTraced is more than a line takes that tells of a hook, in bytes. The programs that a hook runs write there as well, as
// much as they like.
const longestTraced = 64 << 10

func readTrace(name string) hooksRun {
	file, err := os.Open(name)
	if err != nil {
		return hooksRun{}
	}
	defer file.Close()
	var ran hooksRun
	started := map[int]string{}
	lines := bufio.NewReaderSize(file, longestTraced)
	for {
		line, long, err := lines.ReadLine()
		if err != nil {
			break
		}
		var e traced
		if !long && json.Unmarshal(line, &e) == nil && !strings.Contains(e.SID, "/") {
			ran.take(e, started)
		}
	}
	for _, name := range started {
		ran.open = name
	}
	return ran
}

func (ran *hooksRun) take(e traced, started map[int]string) {
	switch {
	case e.Event == "child_start" && e.Class == "hook":
		ran.names = append(ran.names, e.Hook)
		started[e.Child] = e.Hook
	case e.Event == "child_start" && len(e.Argv) > 0:
		started[e.Child] = e.Argv[0]
	case e.Event == "child_exit":
		if name := started[e.Child]; e.Code != 0 && slices.Contains(ran.names, name) {
			ran.failed = name
		}
		delete(started, e.Child)
	}
}
