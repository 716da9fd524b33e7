package plans

import (
	"fmt"
	"path/filepath"
	"strings"

	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/spec/plan"
)

// Check reads a plan as the run would, and says what is wrong with it: also what a run would ask about.
func Check(path string, src []byte) (*plan.Plan, error) {
	plan, err := plan.ParsePlan(src)
	if err == nil {
		err = plan.Doubt()
	}
	if err == nil {
		if hindrances := machine.Hindrances(Facts(path, plan).Tasks); len(hindrances) > 0 {
			err = fmt.Errorf("%s. Remove one of these dependencies", strings.Join(hindrances, "; "))
		}
	}
	if err != nil {
		return nil, &halt.UsageError{Message: fmt.Sprintf("%s: %v", filepath.ToSlash(path), err), Err: err}
	}
	return plan, nil
}
