package flow

import (
	"testing"

	"autopilot/autopilot/machine"
)

// TestALaneOfASpecWithASpaceHasNamesThatGitTakes: the engine removes a lane by these names.
func TestALaneOfASpecWithASpaceHasNamesThatGitTakes(t *testing.T) {
	w := &session{s: machine.State{SessionSlug: "my spec"}}
	if l := w.laneOf("task-001"); l.Branch != "autopilot/my-spec.task-001" || l.Dir != ".harness/worktrees/my-spec.lanes/task-001" {
		t.Errorf("the lane is %+v", l)
	}
}
