package plans

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/spec"
	"autopilot/spec/plan"
)

// draftSuffix marks a plan that is not finished: it is never taken for the phase's plan.
const draftSuffix = ".draft.md"

// Dirs are the folders for plans: docs/plans, and the topic's own when the spec lies in docs/changes/<topic>.
func (ps Plans) Dirs() []string {
	dirs := []string{"docs/plans"}
	if parts := strings.Split(ps.Journal.State().SpecPath, "/"); len(parts) > 3 && parts[0] == "docs" && parts[1] == "changes" {
		dirs = slices.Insert(dirs, 0, path.Join("docs/changes", parts[2], "plans"))
	}
	return dirs
}

// IsPlan says whether a path, as git has it, is that of a plan: a Markdown file in a folder for plans that is no draft.
// It need not be there.
func (ps Plans) IsPlan(file string) bool {
	return strings.HasSuffix(file, ".md") && !strings.HasSuffix(file, draftSuffix) &&
		slices.ContainsFunc(ps.Dirs(), func(dir string) bool { return strings.HasPrefix(file, dir+"/") })
}

// IsDraft says whether a path, as git has it, is that of a plan that is not finished.
func (ps Plans) IsDraft(file string) bool {
	return strings.HasSuffix(file, draftSuffix) && ps.Inside(file) != ""
}

// Inside returns a path as git has it when it is a Markdown file in a folder for plans, else "".
func (ps Plans) Inside(file string) string {
	if file == "" || !strings.HasSuffix(file, ".md") {
		return ""
	}
	if filepath.IsAbs(file) {
		file = plainfile.RelTo(file, ps.Root, ps.Home)
	}
	file = path.Clean(filepath.ToSlash(file))
	for _, dir := range ps.Dirs() {
		if strings.HasPrefix(file, dir+"/") && ps.exists(file) {
			return file
		}
	}
	return ""
}

// InPlans returns the path of a plan relative to the working tree when it lies in a folder for plans and is no draft,
// else "".
func (ps Plans) InPlans(file string) string {
	if rel := ps.Inside(file); ps.IsPlan(rel) {
		return rel
	}
	return ""
}

// Stood is what the folders for plans hold now.
func (ps Plans) Stood() (machine.Stood, error) { return ps.hold(ps.IsPlan) }

// StoodWithDrafts is Stood with what is not finished.
func (ps Plans) StoodWithDrafts() (machine.Stood, error) {
	return ps.hold(func(file string) bool { return strings.HasSuffix(file, ".md") })
}

// hold is what the folders for plans hold of some files.
func (ps Plans) hold(these func(file string) bool) (machine.Stood, error) {
	stood := machine.Stood{}
	for _, dir := range ps.Dirs() {
		err := filepath.WalkDir(filepath.Join(ps.Root, filepath.FromSlash(dir)), func(file string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil || d.IsDir() || !these(plainfile.RelTo(file, ps.Root, ps.Home)) {
				return err
			}
			if src, err := plainfile.ReadIn(ps.Root, plainfile.RelTo(file, ps.Root, ps.Home)); err == nil { // a link that leads nowhere, out, or to a folder, is no plan
				sum := sha256.Sum256(src)
				stood[plainfile.RelTo(file, ps.Root, ps.Home)] = hex.EncodeToString(sum[:8])
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return stood, nil
}

// search is what the folders for plans hold for a phase.
type search struct {
	plans []string // those that may be its plan
	same  []string // those that would be, and are as they were when the plan was wanted
}

// candidates looks for a phase's plan: where a human says that it is; else, of the files that are new or changed since
// the plan was wanted, the one that the planner names, those that fit the phase, or the only one.
func (ps Plans) candidates(p machine.Phase) (search, error) {
	hint := ps.Inside(p.PlanHint)
	if p.Planning.Brought && hint != "" {
		return search{plans: []string{hint}}, nil
	}
	now, err := ps.Stood()
	if err != nil {
		return search{}, err
	}
	var found search
	var changed []string
	for _, file := range slices.Sorted(maps.Keys(now)) {
		isNew := p.Planning.Stood[file] != now[file]
		mine := file == p.PlanPath || file == hint || ps.fits(file, p)
		switch {
		case isNew && mine:
			found.plans = append(found.plans, file)
		case mine:
			found.same = append(found.same, file)
		}
		if isNew {
			changed = append(changed, file)
		}
	}
	switch known := p.Planning.Stood != nil; {
	case slices.Contains(found.plans, hint):
		found.plans = []string{hint}
	case len(found.plans) == 0 && len(changed) == 1 && known && !ps.fitsAnother(ps.Journal.State().CurrentPhase, changed[0]):
		found.plans = changed
	}
	return found, nil
}

func (ps Plans) fits(file string, p machine.Phase) bool {
	read, err := ps.Read(file)
	if err != nil {
		read = &plan.Plan{} // it fits by its name, and is refused with its problem when it is read
	}
	return read.Fits(file, ps.Journal.State().SpecPath, spec.Phase{Number: p.Number, Name: p.Name})
}

// fitsAnother says whether a file fits a phase that has no approved plan yet and is not the one at an index.
func (ps Plans) fitsAnother(at int, file string) bool {
	for i, p := range ps.Journal.State().Phases {
		open := p.Status == machine.PhasePending || p.Status == machine.PhaseInProgress
		if i != at && open && (p.PlanPath == file || ps.fits(file, p)) {
			return true
		}
	}
	return false
}

// FitsOnlyAnother says whether a file fits such a phase, and does not fit the one at the index.
func (ps Plans) FitsOnlyAnother(at int, file string) bool {
	return !ps.fits(file, ps.Journal.State().Phases[at]) && ps.fitsAnother(at, file)
}

// Suggested is the file that a planner is asked to write: docs/plans/YYYY-MM-DD-<phase-slug>-plan.md, with a number where that was
// there before the plan was wanted and is not the phase's own: two specs may have a phase of the same name.
func (ps Plans) Suggested(p machine.Phase) string {
	day := ps.Now()
	if p.StartedAt != nil {
		day = *p.StartedAt
	}
	date, name := path.Join(ps.Dirs()[0], day.Format("2006-01-02")), spec.PhaseSlug(p.Name)+"-plan.md"
	for n, file := 2, date+"-"+name; ; n++ {
		if _, stood := p.Planning.Stood[file]; !stood || file == p.PlanPath || file == p.PlanHint {
			return file
		}
		file = fmt.Sprintf("%s-%d-%s", date, n, name)
	}
}

// wanted is that file for a person to find: its whole path where the session has a working tree of its own.
func (ps Plans) wanted(p machine.Phase) string {
	if ps.Root == ps.Home {
		return ps.Suggested(p)
	}
	return filepath.Join(ps.Root, filepath.FromSlash(ps.Suggested(p)))
}
