package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"autopilot/autopilot/git"
)

// FuzzDeedsInGit has an agent set keys of git's configuration, and put files, folders and links below .git: those that
// are written, one a line, and those that bytes choose. What the program commits and pushes after that is the run's: the
// content, who committed, and where it goes. No program of the agent's is run, and nothing is written through its links.
func FuzzDeedsInGit(f *testing.F) {
	template := makeVictim(f)
	f.Fuzz(func(t *testing.T, lines string, chosen []byte) {
		deeds := append(readDeeds(lines), chooseDeeds(t, chosen)...)
		v := newVictim(t, template)
		err := v.plays(t, deeds)
		if t.Failed() {
			t.Errorf("%v, after:\n%s", err, textOf(deeds))
		}
		played.Add(1)
		if err == nil {
			return
		}
		if skips, all := skipped.Add(1), played.Load(); all >= enough && skips*3 > all {
			t.Fatalf("%d of %d runs ended before they committed and pushed: the target tries too little. The last one: %v, after:\n%s", skips, all, err, textOf(deeds))
		}
		t.Skipf("the run ends by name, and nothing came of it: %v", err)
	})
}

// Of this process: how many runs there were, how many of them ended by name, and after how many the share is judged.
var played, skipped atomic.Int64

const enough = 100

// victim is a repository with a remote, and what an agent would have it run and reach.
type victim struct {
	dir  string
	repo *git.Repo
}

// makeVictim makes what each victim is a copy of.
func makeVictim(f *testing.F) string {
	f.Helper()
	if runtime.GOOS == "windows" {
		f.Skip("a script of sh")
	}
	f.Setenv("HOME", f.TempDir())
	f.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	f.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	made := exec.CommandContext(f.Context(), "sh", "-ec", `git init -q -b main --template= repo && cd repo
git config user.name Ada && git config user.email ada@example.com
echo '*.txt filter=x diff=x merge=x' > .gitattributes && echo one > a.txt && git add -A && git commit -q -m Begin
git init -q --bare -b main --template= ../origin && git init -q --bare -b main --template= ../evil
git remote add origin ../origin && git push -q origin main && echo mine > ../mine`)
	made.Dir = f.TempDir()
	if out, err := made.CombinedOutput(); err != nil {
		f.Fatalf("%v: %s", err, out)
	}
	return made.Dir
}

func newVictim(t *testing.T, template string) victim {
	t.Helper()
	v := victim{dir: t.TempDir()}
	canary := "#!/bin/sh\necho \"$0 $@\" >> " + filepath.Join(v.dir, "ran") + "\ncat\n"
	err := errors.Join(os.CopyFS(v.dir, os.DirFS(template)), os.WriteFile(filepath.Join(v.dir, "canary"), []byte(canary), 0o755))
	if err == nil {
		v.repo, err = git.Open(t.Context(), filepath.Join(v.dir, "repo"))
	}
	if err == nil {
		err = v.repo.Config.Pin(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// plays is a dispatch that does these deeds, and what the program does after it. An error is the program's own.
func (v victim) plays(t *testing.T, deeds []deed) error {
	t.Helper()
	g := RepoGuard{Repo: v.repo, Dispatch: "d1", Kept: "refs/autopilot/s/undone/d1", Who: "the agent"}
	was, err := g.Capture(t.Context(), git.Saved{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(v.repo.Root(), "a.txt"), []byte("hello\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, d := range deeds {
		d.do(t, v)
	}
	elsewhere := v.elsewhere(t)
	defer func() {
		if now := v.elsewhere(t); now != elsewhere {
			t.Errorf("elsewhere was\n%s\nand is\n%s", elsewhere, now)
		}
	}()
	if _, err := g.Restore(t.Context(), was); err != nil {
		return err
	}
	ctx := git.Still(t.Context())
	if _, err = v.repo.Tree.Hash(ctx); err != nil {
		return err
	}
	made, err := v.repo.Commits.Make(ctx, git.Commit{Paths: []string{"a.txt"}, Subject: "Say hello"})
	if err != nil {
		return err
	}
	v.isTheRuns(t, made.SHA)
	return v.pushes(t)
}

// pushes does what --pr does: where it is not refused, origin has the commit.
func (v victim) pushes(t *testing.T) error {
	t.Helper()
	err := v.repo.Config.SameRemote(t.Context())
	if _, refused := errors.AsType[*git.RemoteChangedError](err); refused {
		return nil
	}
	pinned, pinErr := v.repo.Environment()
	limited, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	push := exec.CommandContext(limited, "git", "push", "--quiet", "--set-upstream", "origin", "refs/heads/main:refs/heads/main")
	push.Dir, push.Env = v.repo.Root(), append(os.Environ(), pinned...)
	out, pushErr := push.CombinedOutput()
	if err := errors.Join(err, pinErr, pushErr); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	if at := v.asks(t, "rev-parse", "refs/heads/main"); at != v.asks(t, "--git-dir="+v.repo.GitDir(), "rev-parse", "refs/heads/main") {
		t.Errorf("origin is at %s", at)
	}
	return nil
}

// isTheRuns says what of a commit is not as it was validated.
func (v victim) isTheRuns(t *testing.T, commit string) {
	t.Helper()
	for question, want := range map[string]string{
		"show --no-textconv --format= " + commit + ":a.txt":      "hello",
		"log -1 --no-mailmap --format=%an-%ae-%cn-%ce " + commit: "Ada-ada@example.com-Ada-ada@example.com",
		"diff-tree -r --no-commit-id --name-only " + commit:      "a.txt",
	} {
		if got := v.asks(t, strings.Fields(question)...); got != want {
			t.Errorf("git %s: %q, want %q", question, got, want)
		}
	}
}

// elsewhere is what lies beside the repository: what the agent's program wrote when it ran, its own repository, and a file.
func (v victim) elsewhere(t *testing.T) string {
	t.Helper()
	ran, _ := os.ReadFile(filepath.Join(v.dir, "ran"))
	mine, err := os.ReadFile(filepath.Join(v.dir, "mine"))
	seen := []string{string(ran), string(mine)}
	err = errors.Join(err, filepath.WalkDir(filepath.Join(v.dir, "evil"), func(path string, _ fs.DirEntry, err error) error {
		seen = append(seen, path)
		return err
	}))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(seen, "\n")
}

// asks has git answer in the bare repository that nobody attacks, with the objects of the one that is.
func (v victim) asks(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = filepath.Join(v.dir, "origin")
	cmd.Env = append(os.Environ(), "GIT_ALTERNATE_OBJECT_DIRECTORIES="+filepath.Join(v.repo.GitDir(), "objects"))
	out, _ := cmd.Output() // an error is another answer
	return strings.TrimSpace(string(out))
}
