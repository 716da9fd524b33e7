package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"autopilot/cmd"
	"autopilot/cmd/console"
	_ "autopilot/cmd/supervisor" // must be ready before the rest
)

// TestMain lets this program stand in for git: under that name it writes down how it was called, and calls git. It stands in
// for autopilot, too.
func TestMain(m *testing.M) {
	if to := os.Getenv(traceVariable); to != "" && strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") == "git" {
		os.Exit(record(to))
	}
	if os.Getenv(asProgram) != "" {
		os.Exit(cmd.Main(os.Args[1:], console.System()))
	}
	os.Exit(m.Run())
}

const (
	traceVariable = "BENCH_GIT_TRACE" // the folder of the trace
	gitVariable   = "BENCH_GIT"       // the real git
	rootVariable  = "BENCH_GIT_ROOT"  // the repository
)

// gitCall is one command line of git, with what stood in files when it began and was not there, or other, before.
type gitCall struct {
	Args  []string
	Dir   string
	Env   []string // GIT_… alone
	Stdin []byte
	Files map[string][]byte // by path from the repository; nil: gone
	Exit  int
}

type gitTrace struct{ calls []gitCall }

// trace carries the work out once, writing down each call of git. Fixed dates give commits the same names again.
func (w *work) trace(b *testing.B) gitTrace {
	b.Helper()
	real, err := exec.LookPath("git")
	if err != nil {
		b.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	to, front := b.TempDir(), b.TempDir()
	if err := os.Symlink(self, filepath.Join(front, filepath.Base(real))); err != nil {
		b.Skipf("git cannot be stood in for: %v", err)
	}
	date := "2026-01-02T03:04:05Z"
	w.run(b, append(slices.Clone(w.env), "PATH="+front+string(os.PathListSeparator)+os.Getenv("PATH"), traceVariable+"="+to,
		gitVariable+"="+real, rootVariable+"="+w.repo, "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date))
	w.peak = 0 // the turns were the same, but what is measured is a run without a stand-in
	return readTrace(b, to)
}

func readTrace(b *testing.B, from string) gitTrace {
	b.Helper()
	var t gitTrace
	for n := 0; ; n++ {
		data, err := os.ReadFile(filepath.Join(from, fmt.Sprintf("%06d.json", n)))
		if errors.Is(err, fs.ErrNotExist) {
			return t
		}
		var c gitCall
		if err := errors.Join(err, json.Unmarshal(data, &c)); err != nil {
			b.Fatal(err)
		}
		t.calls = append(t.calls, c)
	}
}

// perTask is how many calls there are from one commit of a task to the next, most often.
func (t gitTrace) perTask() float64 {
	var gaps []float64
	last := -1
	for i, c := range t.calls {
		if slices.Contains(c.Args, "commit") {
			if last >= 0 {
				gaps = append(gaps, float64(i-last))
			}
			last = i
		}
	}
	return median(gaps)
}

// replay makes the calls again, in order, and returns how long they took together. What the run wrote into files in
// between is put there first and does not count.
func (t gitTrace) replay(b *testing.B, repo string) time.Duration {
	b.Helper()
	took := time.Duration(0)
	for i, c := range t.calls {
		for name, content := range c.Files {
			placed(b, filepath.Join(repo, name), content)
		}
		cmd := exec.Command("git", c.Args...)
		cmd.Dir, cmd.Env, cmd.Stdin = c.Dir, append(withoutGit(os.Environ()), c.Env...), bytes.NewReader(c.Stdin)
		var said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &said, &said
		began := time.Now()
		_ = cmd.Run()
		took += time.Since(began)
		if exit := cmd.ProcessState.ExitCode(); exit != c.Exit {
			b.Fatalf("call %d, git %s, ended with %d, not %d: %s", i, strings.Join(c.Args, " "), exit, c.Exit, said.String())
		}
	}
	return took
}

func placed(b *testing.B, path string, content []byte) {
	b.Helper()
	now, err := os.ReadFile(path)
	switch {
	case content == nil && err == nil:
		if err := os.Remove(path); err != nil {
			b.Fatal(err)
		}
	case content != nil && (err != nil || !bytes.Equal(now, content)):
		put(b, path, string(content))
	}
}

func withoutGit(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(entry string) bool { return strings.HasPrefix(entry, "GIT_") })
}

// record is the stand-in: it writes the call down and makes it, one at a time, since the program makes some at once.
func record(to string) int {
	turn, err := os.Create(filepath.Join(to, "turn"))
	if err == nil {
		err = takeTurn(turn)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 125
	}
	defer turn.Close()
	c := gitCall{Args: os.Args[1:], Files: changes(to, os.Getenv(rootVariable))}
	c.Dir, _ = os.Getwd()
	for _, entry := range os.Environ() {
		if strings.HasPrefix(entry, "GIT_") {
			c.Env = append(c.Env, entry)
		}
	}
	c.Stdin, _ = io.ReadAll(os.Stdin)
	cmd := exec.Command(os.Getenv(gitVariable), c.Args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(c.Stdin), os.Stdout, os.Stderr
	_ = cmd.Run()
	c.Exit = cmd.ProcessState.ExitCode()
	data, err := json.Marshal(c)
	if err == nil {
		err = os.WriteFile(filepath.Join(to, fmt.Sprintf("%06d.json", len(records(to)))), data, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 125
	}
	return c.Exit
}

func records(in string) []string {
	names, _ := filepath.Glob(filepath.Join(in, "??????.json"))
	return names
}

// changes are the files of the working tree, and the program's own in .git, that are others than at the call before.
func changes(trace, root string) map[string][]byte {
	note := filepath.Join(trace, "seen")
	before, now := map[string]string{}, map[string]string{}
	if data, err := os.ReadFile(note); err == nil {
		_ = json.Unmarshal(data, &before)
	}
	found := map[string][]byte{}
	for _, folder := range []string{".", ".git/autopilot", ".git/info"} {
		_ = fs.WalkDir(os.DirFS(root), folder, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				if name == ".git" || name == ".harness" {
					return fs.SkipDir
				}
				return nil
			}
			if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
				now[name] = fmt.Sprint(info.Size(), info.ModTime().UnixNano())
			}
			return nil
		})
	}
	for name, form := range now {
		if data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name))); err == nil && form != before[name] {
			found[name] = data
		}
	}
	for name := range before {
		if _, there := now[name]; !there {
			found[name] = nil
		}
	}
	data, _ := json.Marshal(now)
	_ = os.WriteFile(note, data, 0o644)
	return found
}
