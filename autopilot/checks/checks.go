package checks

import (
	"autopilot/autopilot/changes"
	"autopilot/autopilot/git"
	"autopilot/autopilot/proof"
	"autopilot/autopilot/validate"
)

// Checks are the commands of a session in one working tree, and what runs there.
type Checks struct {
	Judge
	Repo       *git.Repo
	Changes    changes.Changes
	Runner     validate.Runner
	Configured []validate.Validation // in place of those that the project's files name
	None       bool                  // nothing is to be validated
	Clean      proof.Tree            // where the old tests are run
	OldTests   string                // whether they are: OldTestsOn and so on; "" is off
}
