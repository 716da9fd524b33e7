package doctor

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/steering"
)

// gitPrograms tells by what the repository's own configuration steers git: whoever handed the repository over could
// have put it there. An agent that sets one of these keys has it put back.
func gitPrograms(ctx context.Context, p *doctorInput) []diagnosis {
	named, err := steering.Files{Repo: p.repo}.Named(ctx)
	if err != nil || len(named) == 0 { // git itself says at every other call what is wrong
		return nil
	}
	return []diagnosis{{
		"git", "note", "the repository's configuration decides what git sees, runs and reaches: " + strings.Join(named, ", "),
		"Filters, merge drivers and hooks run as they do with your own git. Look at them before a run: git config --local --list",
	}}
}

// leadsOut tells which files that would be sent to a model are links to somewhere else.
func leadsOut(_ context.Context, p *doctorInput) []diagnosis {
	var found []diagnosis
	for _, name := range []string{"AGENTS.md", "CLAUDE.md"} {
		if _, err := os.Stat(filepath.Join(p.repo.Root(), name)); err != nil {
			continue
		}
		if _, err := plainfile.ReadIn(p.repo.Root(), name); err != nil {
			found = append(found, diagnosis{"instructions", "note", name + " is not given to agents: " + err.Error(), "Replace it with a plain file"})
		}
	}
	return found
}
