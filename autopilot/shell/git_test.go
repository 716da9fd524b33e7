package shell

import (
	"strings"
	"testing"
)

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
		if got := WritingGit(line); got != verb {
			t.Errorf("%q: got %q, want %q", line, got, verb)
		}
	}
}

func TestGitThatReadsIsAllowed(t *testing.T) {
	for _, line := range []string{
		"git status", "git -C sub diff --stat", "git log --oneline | head", "git branch", "git branch --show-current", "git stash list",
		"grep -rn 'git commit' docs", "echo git commit", "echo \"git push\"", "# git push", "go test ./... # git push", "cat .git-notes",
		"git", "git --version", "git rev-parse HEAD > head.txt", "git symbolic-ref --short HEAD", "git config --get user.name",
		"xargs grep git", "legit commit", "git ls-files | xargs wc -l", "git show HEAD:a.go", "", "echo $HOME; echo 'a", "echo \"$(", "bash run.sh",
	} {
		if got := WritingGit(line); got != "" {
			t.Errorf("%q is refused as git %s", line, got)
		}
	}
}

func FuzzWritingGitNeverPanics(f *testing.F) {
	for _, line := range []string{"git commit", "sh -c \"git add $(ls)\"", "`'\"\\", "$($($("} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if verb := WritingGit("true; git commit; " + strings.NewReplacer("'", "", `"`, "", "`", "", "(", "", `\`, "").Replace(line)); verb == "" {
			t.Errorf("a commit before %q goes unseen", line)
		}
		WritingGit(line)
	})
}
