package guard

import (
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/workspace"
	"autopilot/personas"
)

// control reads the files that decide how the program works: what a persona changes of them is put back. The session's
// journal and snapshot are guarded by its Seal; projections and what the program writes meanwhile do not count.
func (g Guard) control(persona personas.Persona) (map[string][]byte, error) {
	s := g.Journal.State()
	files := map[string][]byte{}
	single := []string{filepath.Join(g.Repo.Root(), workspace.ProjectFile), filepath.Join(filepath.Dir(g.Harness), workspace.ProjectFile), g.Spec}
	for _, name := range []string{"learnings.md", "failures.md", "init.sh", "project_profile.json"} {
		single = append(single, filepath.Join(g.Harness, name))
	}
	for _, p := range s.Phases {
		if p.PlanPath != "" && !persona.Allows(personas.MayPlan) {
			single = append(single, filepath.Join(g.Repo.Root(), filepath.FromSlash(p.PlanPath)))
		}
	}
	for _, path := range single {
		if err := workspace.Remember(files, path); err != nil {
			return nil, err
		}
	}
	for _, dir := range []string{"validate.d", "personas"} {
		if err := workspace.RememberAll(files, filepath.Join(g.Harness, dir), nil); err != nil {
			return nil, err
		}
	}
	return files, workspace.RememberAll(files, g.Dir, unguarded)
}

// unguarded are the files of a session that the program itself writes while a dispatch runs, that people may write,
// or that are never read back. While one of them is replaced it has a second name, which a lane that ends may come upon.
func unguarded(name string) bool {
	first, _, _ := strings.Cut(filepath.ToSlash(name), "/")
	first = strings.TrimSuffix(first, ".tmp")
	return slices.Contains([]string{"inbox", "attempts", "evidence", "scratchpad", "lock", "lock.ended", "events.jsonl", "progress.txt", "state.json", "handoff.json", "learnings.md", "now.json"}, first) ||
		strings.HasPrefix(first, "autopilot-state.") || strings.HasSuffix(first, "-tasks.json") || strings.HasSuffix(first, "-verify.log")
}

// restoreControl puts altered control files back, and takes new ones away; a changed plan or spec is reported,
// anything else is critical.
func (g Guard) restoreControl(w Snapshot, persona personas.Persona, found *Found) error {
	altered, err := g.AtWork.intact(w.ID)
	if err != nil {
		return err
	}
	for _, name := range altered {
		severity, who := g.AtWork.blame(w.ID)
		found.add(severity, who+" changed the session's own file "+name, "it was put back", "")
	}
	all, err := g.control(persona)
	if err != nil {
		return err
	}
	rg := g.repoGuard(w)
	changed, err := rg.PutControlBack(w.Control, all)
	for _, c := range changed {
		f := rg.TellControl(c)
		if g.isPaper(c.Path) {
			f.Severity = machine.Important
		}
		found.Findings = append(found.Findings, f)
	}
	return err
}

// isPaper says whether a control file is a plan or a spec.
func (g Guard) isPaper(path string) bool {
	return strings.HasSuffix(path, ".md") && !strings.HasPrefix(path, g.Harness)
}
