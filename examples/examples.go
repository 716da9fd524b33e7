// Package examples holds what `autopilot demo` runs: a small Go project with a spec, the plan that a person makes for
// its second phase, and the recorded turns of a model.
package examples

import (
	_ "embed"

	"github.com/rogpeppe/go-internal/txtar"
)

//go:embed tally.txtar
var tally []byte

// The members of the example that are no part of its project.
const (
	Replay = "replay.yaml"                   // the model's turns
	Plan   = "docs/plans/rank-words-plan.md" // a person's plan for the phase of high complexity
)

// Tally is the example's files by path, the members Replay and Plan included.
func Tally() map[string][]byte {
	files := map[string][]byte{}
	for _, f := range txtar.Parse(tally).Files {
		files[f.Name] = f.Data
	}
	return files
}
