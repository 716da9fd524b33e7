package attempts

import (
	"context"
	"strings"

	"autopilot/spec"
)

const (
	// mostWords is how many words of a phase's text are looked for.
	mostWords = 100
	// mostUnseen is how many of those that are nowhere a verifier is told.
	mostUnseen = 20
)

// unseen lists the spec's own words of a phase that occur nowhere in what is committed, in no file and as no file's name: a
// reason to look, no finding. Spec and plans do not count. Where git cannot read every file, as in a partial clone, nothing is
// said.
func (ats Attempts) unseen(ctx context.Context, text string) (list []string) {
	tracked, err := ats.Repo.Tree.Tracked(ctx)
	if err != nil {
		return nil
	}
	names := "\n/" + strings.Join(tracked.Files, "\n/") + "\n"
	but := append(ats.Plans.Dirs(), ats.Journal.State().SpecPath, ".harness")
	words := spec.OwnWords(text)
	for _, w := range words[:min(len(words), mostWords)] {
		if strings.Contains(names, "/"+w+"\n") {
			continue
		}
		look, isNumber := number(w)
		seen, err := ats.Repo.History.Mentions(ctx, "HEAD", look, isNumber, but...)
		if err != nil {
			return nil
		}
		if !seen {
			list = append(list, w)
		}
	}
	return list[:min(len(list), mostUnseen)]
}

// number is the number of one with a unit: code has the unit in words of its own.
func number(word string) (string, bool) {
	digits := strings.TrimRight(word[:len(word)-len(strings.TrimLeft(word, "0123456789.,_"))], ".,_")
	if digits == "" {
		return word, false
	}
	return digits, true
}
