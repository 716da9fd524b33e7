package tasks

import (
	"context"
	"path/filepath"

	"autopilot/autopilot/checks"
	"autopilot/autopilot/git"
	"autopilot/autopilot/proof"
)

func (l *Loop) oldTests() checks.Proofs {
	return checks.Proofs{
		Tree: l.cleanTree(l.Repo), Mask: l.Mask, When: l.Settings.OldTests, Instead: "have changes_tests of the task announce the change",
		Warn: func(about, text string) {
			if _, told := l.warned.LoadOrStore(about, true); !told {
				l.progress().say("warning", "%s", text)
			}
		},
	}
}

// cleanTree is where the old tests are run on what is done in a working tree. No slug has a dot, so that no session's tree has
// such a name.
func (l *Loop) cleanTree(repo *git.Repo) proof.Tree {
	t := proof.Tree{Repo: repo, Home: filepath.Dir(filepath.Dir(l.Dir)), Setup: l.Settings.Furnishing, Runner: l.Checks, Last: &l.asked}
	if l.Settings.Trees == "" {
		return t
	}
	t.Dir = filepath.Join(l.Settings.Trees, "tasks.list")
	if repo.GitDir() != repo.CommonDir() {
		t.Dir += "." + filepath.Base(repo.GitDir())
	}
	return t
}

func (l *Loop) closeTree(ctx context.Context, repo *git.Repo) {
	if err := l.cleanTree(repo).Close(ctx); err != nil {
		l.progress().say("warning", "The clean working tree could not be removed: %v", err)
	}
}

// closeAtEnd removes the clean tree once a command has ended the last task of the list.
func (l *Loop) closeAtEnd(ctx context.Context) {
	if over, err := l.Over(); over && err == nil {
		l.closeTree(ctx, l.Repo)
	}
}
