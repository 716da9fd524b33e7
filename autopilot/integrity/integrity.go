package integrity

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Integrity reads a whole diff for what takes force from the checks without a run that could show it, and was not announced
// in the plan. Critical: a CI or validation file, a control file that the plan does not name; a check that can no longer
// fail. Important: a file outside of the plan; generated files; a link that leads out of the repository. A suggestion: lock
// files, lines for .gitignore and new tests outside of the plan, which follow from files within it.
//
// Scripts are those that the validation commands run. Findings come in order of file and line.
func Integrity(changes []Change, a Allowed, scripts ...string) []Finding {
	changes = slices.DeleteFunc(slices.Clone(changes), func(c Change) bool { return isRunData(c.Path) && !isControl(c.Path) })
	var all []Finding
	for _, c := range changes {
		all = append(all, controlFindings(c, a)...)
		all = append(all, guardFindings(c, a)...)
		all = append(all, scriptFindings(c, a, scripts)...)
		all = append(all, outsidePlan(c, a)...)
		all = append(all, linkFindings(c)...)
	}
	all = append(all, noiseFindings(changes, a)...)
	slices.SortStableFunc(all, func(x, y Finding) int {
		return cmp.Or(strings.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line))
	})
	return all
}

// controlFindings: what the program steers by is changed by people only.
func controlFindings(c Change, a Allowed) []Finding {
	for _, p := range []string{c.Path, c.before()} {
		if isControl(p) && (strings.HasPrefix(p, ".harness/sessions/") || !a.names(p)) {
			return []Finding{{
				Critical, p, 0, "a control file was " + string(c.Status),
				p + " steers this program; an agent may change it only where the plan names it.",
			}}
		}
	}
	return nil
}

// OutsidePlan is the title of a finding about a file that the plan does not announce.
const OutsidePlan = "outside of what the plan announced"

// outsidePlan is silent where the plan announced no files at all.
func outsidePlan(c Change, a Allowed) []Finding {
	silent := len(a.Files)+len(a.Owns)+len(a.ChangesTests) == 0 && !a.FilesNone
	if silent || a.announced(c.Path) && a.announced(c.before()) || isControl(c.Path) {
		return nil
	}
	f := Finding{
		Important, c.Path, 0, OutsidePlan,
		fmt.Sprintf("The file was %s, but neither Files nor Owns of the plan covers it.", c.Status),
	}
	if !a.FilesNone && isNeighbour(c) {
		f.Severity = Suggestion
	}
	return []Finding{f}
}

// neighbours follow from changes of other files.
var neighbours = []string{
	"go.sum", "go.work.sum", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb",
	"uv.lock", "poetry.lock", "Pipfile.lock", "Cargo.lock", "Gemfile.lock", "composer.lock",
}

func isNeighbour(c Change) bool {
	return slices.Contains(neighbours, path.Base(c.Path)) || c.Status == Added && RoleOf(c.Path) == Test || onlyIgnores(c)
}

// onlyIgnores says whether a change adds lines to a .gitignore, and none that makes an exception.
func onlyIgnores(c Change) bool {
	more, is := bytes.CutPrefix(c.After, c.Before)
	return path.Base(c.Path) == ".gitignore" && is && !bytes.Contains(more, []byte("!"))
}
