// Package closing writes what belongs to the end of a phase and of a session: the records for people and other tools, what was
// learned, and the feature in the project's roadmap.
//
// A call goes: Closing.Phase at the end of a phase, Closing.Step for each closing step of DONE; each may be repeated without harm.
// Closing.Summary is written at both, and where a run takes the session up.
package closing

import (
	"context"

	"autopilot/autopilot/commits"
	"autopilot/autopilot/facts"
	"autopilot/autopilot/git"
	"autopilot/autopilot/journal"
	"autopilot/personas"
)

// Records keep files of a session by their names.
type Records interface {
	Dir() string // absolute
	WriteJSON(name string, v any) error
	WriteText(name, text string) error
	// Index brings the list of all sessions up to date.
	Index() error
	ClearScratchpad(phase int) error
	// Altered names the evidence that is gone, or is not what the journal says, as the audit finds it.
	Altered() ([]string, error)
}

// Closing is that of a session.
type Closing struct {
	Repo    *git.Repo
	Journal *journal.Journal
	Facts   facts.Facts
	Commits commits.Commits
	Records Records
	Roadmap Roadmap
	Mask    *personas.Mask // takes secrets out of what a hook says; may be nil
	// Promote hands the session's learnings on to the project's, and returns how many those are now.
	Promote func() (int, error)
	// Report is what the session came to, as Markdown, with the evidence that is gone or changed.
	Report func(ctx context.Context, altered []string) (string, error)
}
