package doctor

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/plainfile"
)

// programKeys are the keys of git's configuration whose values are programs, or more configuration. Filters and merge
// drivers run when files are taken in or brought together, as with a git typed by hand; the program's own calls keep the
// others from running, or have no use for them.
var programKeys = lazyregexp.New(`^(core\.(fsmonitor|hookspath|sshcommand|gitproxy|editor|pager|askpass)|filter\..*\.(clean|smudge|process)|` +
	`merge\..*\.driver|diff\.external|diff\..*\.(command|textconv)|gpg\..*program|credential\..*helper|include\.path|includeif\..*\.path)$`)

// gitPrograms tells which programs the repository's own configuration names: whoever handed the repository over could
// have put them there.
func gitPrograms(ctx context.Context, p *doctorInput) []diagnosis {
	out, err := p.gitConfig(ctx, "--local", "--includes", "--name-only", "-z", "--list")
	if err != nil {
		return nil // git itself says so at every other call
	}
	var named []string
	for key := range strings.SplitSeq(strings.TrimRight(out, "\x00"), "\x00") {
		if programKeys.MatchString(key) {
			named = append(named, key)
		}
	}
	if len(named) == 0 {
		return nil
	}
	slices.Sort(named)
	return []diagnosis{{
		"git", "note", "the repository's configuration names programs for git: " + strings.Join(slices.Compact(named), ", "),
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
			found = append(found, diagnosis{"instructions", "note", name + " is not given to agents: " + err.Error(), "Put a plain file in its place"})
		}
	}
	return found
}
