package cmd

import (
	"context"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/personas"
)

// unanswered returns the keys that wait for the user's yes, and where that is kept.
func (b *backends) unanswered(repo *git.Repo, all []personas.Persona) ([]sentKey, *trustFile, error) {
	keys := b.strangeKeys(all)
	if len(keys) == 0 {
		return nil, nil, nil
	}
	f, err := openTrust(b.host, repo)
	if err != nil {
		return nil, nil, err
	}
	return f.unanswered(keys), f, nil
}

// upgrades says whether the user ran a session in this repository with a program that did not ask yet. One that came with
// the repository's commits is nobody's word.
func (w *workspace) upgrades(ctx context.Context, s machine.State) bool {
	if s.Runs == 0 || s.KeysAsked {
		return false
	}
	carried, err := w.repo.Carries(ctx, ".harness/sessions/"+w.slug)
	return err == nil && !carried
}

// keyLines shows keys, each on a line.
func keyLines(keys []sentKey) string {
	var lines []string
	for _, k := range keys {
		lines = append(lines, "  "+strings.Join(strings.Fields(console.Clean(k.what())), " ")+"   ("+console.Clean(k.file)+")")
	}
	return strings.Join(lines, "\n")
}
