package agent

import (
	"strings"
	"testing"
	"time"

	"autopilot/personas"
)

func TestCommandSaysHowItEnded(t *testing.T) {
	d := world(t)
	d.Env = map[string]string{"AUTOPILOT_SCRATCHPAD": "/somewhere"}
	wantIn(t, use(t, d, "run_command", args{"command": "echo out; echo err >&2; exit 3"}), "exit code 3", "out\nerr")
	wantIn(t, use(t, d, "run_command", args{"command": "true"}), "exit code 0", "(no output)")
	wantIn(t, use(t, d, "run_command", args{"command": "echo $AUTOPILOT_SCRATCHPAD $GIT_EDITOR; cat"}), "/somewhere true")
	wantIn(t, use(t, d, "run_command", args{"command": "kill -9 $$"}), "137")
	long := use(t, d, "run_command", args{"command": "echo first; i=0; while [ $i -lt 6000 ]; do echo 0123456789; i=$((i+1)); done; echo last"})
	wantIn(t, long, "first\n", "bytes left out", "last\n")
	if len(long) > maxOutput+200 {
		t.Errorf("%d bytes of output", len(long))
	}
}

func TestCommandHasATimeLimit(t *testing.T) {
	s := &script{turns: []turn{calls("run_command", `{"command":"echo begun; sleep 300"}`), calls(submitReply, doneReply)}}
	out, err := New(s, Options{CommandTimeout: 300 * time.Millisecond}).Dispatch(t.Context(), world(t))
	if err != nil || out.Kind != personas.GotReply {
		t.Fatalf("%+v, %v", out, err)
	}
	wantIn(t, s.messages[len(s.messages)-1].Content, "ended by the time limit of 300ms", "begun")
	got := use(t, world(t), "run_command", args{"command": "sleep 300", "timeout_seconds": 1})
	wantIn(t, got, "ended by the time limit of 1s")
}

func TestCommandsDoNotGetSecrets(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-000000000000")
	t.Setenv("GITHUB_TOKEN", "ghp-00000000000")
	t.Setenv("DB_PASSWORD", "pw-000000000000")
	t.Setenv("HARMLESS", "seen")
	got := use(t, world(t), "run_command", args{"command": "env"})
	wantIn(t, got, "HARMLESS=seen")
	for _, name := range []string{"OPENAI_API_KEY", "GITHUB_TOKEN", "DB_PASSWORD"} {
		if strings.Contains(got, name) {
			t.Errorf("the command got %s", name)
		}
	}
}

func TestGitThatWritesIsRefused(t *testing.T) {
	for line, verb := range map[string]string{
		"git commit -m x":                                   "commit",
		"cd sub && git add .":                               "add",
		"git -C sub -c a=b --no-pager push origin":          "push",
		"GIT_DIR=x /usr/bin/git stash":                      "stash",
		"true; git checkout main":                           "checkout",
		"echo $(git reset --hard)":                          "reset",
		"echo \"$(git reset --hard)\"":                      "reset",
		"echo `git tag v1`":                                 "tag",
		"echo \"`git tag v1`\"":                             "tag",
		"sh -c 'git commit -am x'":                          "commit",
		"bash -o pipefail -c \"cd x && git rebase main\"":   "rebase",
		"eval git clean -fd":                                "clean",
		"if true; then git branch new; fi":                  "branch",
		"sudo -u me git restore .":                          "restore",
		"FOO=1 timeout 10 git merge x":                      "merge",
		"ls | xargs -n 1 git rm":                            "rm",
		"git 'commit' -m x":                                 "commit",
		"g\\it commit":                                      "commit",
		"git config user.name me":                           "config",
		"git log --output=main.go":                          "log --output",
		"git symbolic-ref HEAD refs/heads/x":                "symbolic-ref",
		"(git worktree add ../x)":                           "worktree",
		"# fine\ngit update-ref refs/heads/main HEAD":       "update-ref",
		"find . -name x -exec git add {} \\;":               "add",
		"git status && git apply x.patch":                   "apply",
		"git \\\n commit":                                   "commit",
		"git diff -- \"a b\" && \"git\" cherry-pick abc123": "cherry-pick",
	} {
		if got := writingGit(line); got != verb {
			t.Errorf("%q: got %q, want %q", line, got, verb)
		}
	}
	wantIn(t, use(t, world(t), "run_command", args{"command": "git commit -m x"}), "error: git commit is refused")
}

func TestGitThatReadsIsAllowed(t *testing.T) {
	for _, line := range []string{
		"git status", "git -C sub diff --stat", "git log --oneline | head", "git branch", "git branch --show-current", "git stash list",
		"grep -rn 'git commit' docs", "echo git commit", "echo \"git push\"", "# git push", "go test ./... # git push", "cat .git-notes",
		"git", "git --version", "git rev-parse HEAD > head.txt", "git symbolic-ref --short HEAD", "git config --get user.name",
		"xargs grep git", "legit commit", "git ls-files | xargs wc -l", "git show HEAD:a.go", "", "echo $HOME; echo 'a", "echo \"$(", "bash run.sh",
	} {
		if got := writingGit(line); got != "" {
			t.Errorf("%q is refused as git %s", line, got)
		}
	}
	wantIn(t, use(t, world(t), "run_command", args{"command": "git log --format=%s"}), "exit code 0", "first")
}

func FuzzWritingGitNeverPanics(f *testing.F) {
	for _, line := range []string{"git commit", "sh -c \"git add $(ls)\"", "`'\"\\", "$($($("} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if verb := writingGit("true; git commit; " + strings.NewReplacer("'", "", `"`, "", "`", "", "(", "", `\`, "").Replace(line)); verb == "" {
			t.Errorf("a commit before %q goes unseen", line)
		}
		writingGit(line)
	})
}

func TestEndsKeepsBeginningAndEnd(t *testing.T) {
	e := &ends{limit: 20}
	for range 100 {
		if n, err := e.Write([]byte("0123456789")); n != 10 || err != nil {
			t.Fatal(n, err)
		}
	}
	if got := e.String(); got != "0123456789\n… 980 bytes left out …\n0123456789" {
		t.Errorf("%q", got)
	}
	if got := capped("short", 100); got != "short" {
		t.Errorf("%q", got)
	}
	if got := cut("äöü", 3); got != "ä…" {
		t.Errorf("%q", got)
	}
}
