package app

import (
	"context"
	"path/filepath"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/personas"
)

// Unanswered returns the keys of some personas that wait for the user's yes, and where that is kept.
func (b *Backends) Unanswered(repo *git.Repo, of []personas.Name) ([]SentKey, *TrustFile, error) {
	set, err := Personas(filepath.Join(b.Root, ".harness"))
	if err != nil {
		return nil, nil, err
	}
	keys := b.strangeKeys(set.All(of...))
	if len(keys) == 0 {
		return nil, nil, nil
	}
	f, err := OpenTrust(b.Host, repo)
	if err != nil {
		return nil, nil, err
	}
	return f.Unanswered(keys), f, nil
}

// Upgrades says whether the user ran a session in this repository with a program that did not ask yet. One that came with
// the repository's commits is nobody's word.
func (w *Workspace) Upgrades(ctx context.Context, s machine.State) bool {
	if s.Runs == 0 || s.KeysAsked {
		return false
	}
	carried, err := w.Repo.Tree.Carries(ctx, ".harness/sessions/"+w.Slug)
	return err == nil && !carried
}

// KeyLines shows keys, each on a line.
func KeyLines(keys []SentKey) string {
	var lines []string
	for _, k := range keys {
		lines = append(lines, "  "+console.OneLine(console.Clean(k.What()))+"   ("+console.Clean(k.File)+")")
	}
	return strings.Join(lines, "\n")
}

// TrustFlag says what --trust does, wherever it is a flag.
const TrustFlag = "trust what this repository's files name: keys go to its addresses, doctor tries its programs (also AUTOPILOT_TRUST=1)"
