package proof

import (
	"context"

	"autopilot/autopilot/validate"
)

// Before runs a command on what a commit has, in the tree that Open made ready.
func (t Tree) Before(ctx context.Context, commit string, v validate.Validation) (validate.Evidence, error) {
	if err := t.Lay(ctx, commit, nil); err != nil {
		return validate.Evidence{}, err
	}
	return t.run(ctx, v), nil
}
