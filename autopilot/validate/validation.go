package validate

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/shell"
	"autopilot/autopilot/validate/results"
)

// DefaultTimeout is the least time that a validation gets.
const DefaultTimeout = 10 * time.Minute

// Validation is a command that says whether the code is well.
type Validation struct {
	Command string        `json:"command"`           // for sh -c
	Dir     string        `json:"dir,omitempty"`     // slashes, relative to the root; empty is the root
	Source  string        `json:"source"`            // where it comes from: "go.mod", "package.json test script", "task-001", "configuration"
	Timeout time.Duration `json:"timeout,omitempty"` // nanoseconds; 0 is DefaultTimeout
	ByCode  bool          `json:"-"`                 // the exit code alone decides: the command prepares something, and tests nothing
}

// Lints says whether the command looks at the code without running its tests: a part that takes little time, and that
// holds for each task.
func (v Validation) Lints() bool { return results.Lints(v.Command) }

// TimeoutFor is the time a validation gets whose baseline took that long:
// three times as much, and never less than DefaultTimeout.
func TimeoutFor(baseline time.Duration) time.Duration {
	return max(DefaultTimeout, 3*baseline)
}

// Find gives the project's validation commands: the configured ones when there
// are any, else those of the manifests at root. None is no error.
func Find(root string, configured ...Validation) ([]Validation, error) {
	if len(configured) > 0 {
		found := slices.Clone(configured)
		for i := range found {
			if found[i].Source == "" {
				found[i].Source = "configuration"
			}
		}
		return found, nil
	}
	return findIn(root, "")
}

// FindNear gives the commands of the nearest manifest above each changed file
// (slashes, relative to root), to be run in its folder; it is for repositories
// that have none at their root. Each folder comes once, in order of its name.
func FindNear(root string, changed []string) ([]Validation, error) {
	near := map[string][]Validation{}
	for _, file := range changed {
		dir, found, err := nearest(root, file)
		if err != nil {
			return nil, err
		}
		if len(found) > 0 {
			near[dir] = found
		}
	}
	dirs := make([]string, 0, len(near))
	for dir := range near {
		dirs = append(dirs, dir)
	}
	slices.Sort(dirs)
	var all []Validation
	for _, dir := range dirs {
		all = append(all, near[dir]...)
	}
	return all, nil
}

func nearest(root, file string) (string, []Validation, error) {
	if !filepath.IsLocal(filepath.FromSlash(file)) {
		return "", nil, nil
	}
	for dir := path.Dir(path.Clean(file)); ; dir = path.Dir(dir) {
		if dir == "." {
			dir = ""
		}
		found, err := findIn(root, dir)
		if err != nil || len(found) > 0 || dir == "" {
			return dir, found, err
		}
	}
}

// findIn asks each manifest of the table, and a Makefile where none has an answer.
func findIn(root, dir string) ([]Validation, error) {
	folder := filepath.Join(root, filepath.FromSlash(dir))
	var found []Validation
	for _, commands := range manifests {
		some, err := commands(folder)
		if err != nil {
			return nil, fmt.Errorf("finding validation commands in %s: %w; correct it, or name the commands in the configuration", folder, err)
		}
		found = append(found, some...)
	}
	if len(found) == 0 {
		found = makeCommands(folder)
	}
	for i := range found {
		found[i].Dir = dir
	}
	return found, nil
}

// key tells validations apart; npm test and npm run test are the same.
func (v Validation) key() string {
	return v.Dir + "\x00" + strings.Replace(v.Command, "npm run test", "npm test", 1)
}

// Distinct leaves out what would run the same command in the same folder again.
func Distinct(vs []Validation) []Validation {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(vs), func(v Validation) bool {
		again := seen[v.key()]
		seen[v.key()] = true
		return again
	})
}

// CannotFail says whether the command exits with 0 whatever it finds, by its form (`… || true`, `… | cat`).
func (v Validation) CannotFail() bool { return shell.CannotFail(v.Command) }
