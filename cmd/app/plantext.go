package app

import (
	"fmt"
	"os"
	"path/filepath"

	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
)

// PlanText is the plan of a phase, as it is in the tree that the session works in. A link that leads out of it is not followed.
func (w *Workspace) PlanText(s machine.State, p machine.Phase) (string, error) {
	if p.PlanPath == "" {
		return "", console.UsageError("phase %s has no plan yet", p.Number)
	}
	root, err := os.OpenRoot(filepath.Join(w.Repo.Root(), filepath.FromSlash(s.WorkTree)))
	if err != nil {
		return "", err
	}
	defer root.Close()
	text, err := root.ReadFile(filepath.FromSlash(p.PlanPath))
	if err != nil {
		return "", fmt.Errorf("reading the plan of phase %s: %w", p.Number, err)
	}
	return string(text), nil
}
