package doctor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// oldestGit is the first version that has all that the program uses of git.
var oldestGit = [2]int{2, 34}

func gitProgram(ctx context.Context, p *doctorInput) []diagnosis {
	const remedy = "Install git 2.34 or later."
	out, err := exec.CommandContext(ctx, "git", "--version").Output()
	if err != nil {
		return []diagnosis{{"git", "wrong", "git does not run: " + err.Error(), remedy}}
	}
	said := strings.TrimSpace(string(out))
	if isOldGit(said) {
		return []diagnosis{{"git", "wrong", said + " is too old", remedy}}
	}
	return []diagnosis{{Name: "git", Status: "ok", Detail: said}}
}

// isOldGit says whether git tells of a version before the oldest; one that cannot be read is taken to be new.
func isOldGit(said string) bool {
	var major, minor int
	_, version, _ := strings.Cut(said, "git version ")
	if _, err := fmt.Sscanf(version, "%d.%d", &major, &minor); err != nil {
		return false
	}
	return major < oldestGit[0] || major == oldestGit[0] && minor < oldestGit[1]
}

// unfinished are the files by which git remembers that something is half done, in which commits go wrong.
var unfinished = []struct{ file, what, remedy string }{
	{"rebase-merge", "a rebase", "git rebase --continue, or git rebase --abort"},
	{"rebase-apply", "a rebase", "git rebase --continue, or git rebase --abort"},
	{"MERGE_HEAD", "a merge", "git merge --continue, or git merge --abort"},
	{"CHERRY_PICK_HEAD", "a cherry-pick", "git cherry-pick --continue, or git cherry-pick --abort"},
	{"REVERT_HEAD", "a revert", "git revert --continue, or git revert --abort"},
	{"BISECT_LOG", "a bisect", "git bisect reset"},
}

// gitSettings looks for what in a repository and in git's configuration gets in the way of commits that nobody watches.
func gitSettings(ctx context.Context, p *doctorInput) []diagnosis {
	var found []diagnosis
	for _, u := range unfinished {
		if _, err := os.Stat(filepath.Join(p.repo.GitDir(), u.file)); err == nil {
			found = append(found, diagnosis{"git", "wrong", u.what + " is not finished", "Finish it: " + u.remedy})
		}
	}
	if p.gitSets(ctx, "commit.gpgSign") {
		found = append(found, diagnosis{
			"git", "note", "each commit is signed (commit.gpgSign), and nobody is there to type a passphrase",
			"Have an agent hold the key, or leave signing out here: git config commit.gpgSign false",
		})
	}
	if p.gitSets(ctx, "core.sparseCheckout") {
		found = append(found, diagnosis{"git", "note", "the working tree is sparse: agents see, and check, only what is checked out", ""})
	}
	if _, err := os.Stat(filepath.Join(p.repo.Root(), ".gitmodules")); err == nil {
		found = append(found, diagnosis{"git", "note", "submodules are left alone: what an agent changes in them is not committed", ""})
	}
	return found
}

// gitSets says whether a switch of git's configuration is on.
func (p *doctorInput) gitSets(ctx context.Context, key string) bool {
	out, err := p.gitConfig(ctx, "--type=bool", "--get", key)
	return err == nil && strings.TrimSpace(out) == "true"
}

// gitConfig is what git config says in the repository.
func (p *doctorInput) gitConfig(ctx context.Context, args ...string) (string, error) {
	c := exec.CommandContext(ctx, "git", append([]string{"config"}, args...)...)
	c.Dir, c.Env = p.repo.Root(), p.host.Environ
	out, err := c.Output()
	return string(out), err
}
