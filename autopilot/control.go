package autopilot

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
func (e *Engine) control(persona personas.Persona) (map[string][]byte, error) {
	s := e.Journal.State()
	files := map[string][]byte{}
	single := []string{filepath.Join(e.Repo.Root(), workspace.ProjectFile), filepath.Join(filepath.Dir(e.Harness), workspace.ProjectFile), e.Spec}
	for _, name := range []string{"learnings.md", "failures.md", "init.sh", "project_profile.json"} {
		single = append(single, filepath.Join(e.Harness, name))
	}
	for _, p := range s.Phases {
		if p.PlanPath != "" && !persona.Allows(personas.MayPlan) {
			single = append(single, filepath.Join(e.Repo.Root(), filepath.FromSlash(p.PlanPath)))
		}
	}
	for _, path := range single {
		if err := workspace.Remember(files, path); err != nil {
			return nil, err
		}
	}
	for _, dir := range []string{"validate.d", "personas"} {
		if err := workspace.RememberAll(files, filepath.Join(e.Harness, dir), nil); err != nil {
			return nil, err
		}
	}
	return files, workspace.RememberAll(files, e.Records.Dir(), unguarded)
}

// reading is the same, for when it is wanted.
func (e *Engine) reading(persona personas.Persona) func() (map[string][]byte, error) {
	return func() (map[string][]byte, error) { return e.control(persona) }
}

// unguarded are the files of a session that the program itself writes while a dispatch runs, that people may write,
// or that are never read back. While one of them is replaced it has a second name, which a lane that ends may come upon.
func unguarded(name string) bool {
	first, _, _ := strings.Cut(filepath.ToSlash(name), "/")
	first = strings.TrimSuffix(first, ".tmp")
	return slices.Contains([]string{"inbox", "attempts", "evidence", "scratchpad", "lock", "lock.ended", "events.jsonl", "progress.txt", "state.json", "handoff.json", "learnings.md"}, first) ||
		strings.HasPrefix(first, "autopilot-state.") || strings.HasSuffix(first, "-tasks.json") || strings.HasSuffix(first, "-verify.log")
}

// restoreControl puts altered control files back, and takes new ones away; present reads what is there. A changed plan or
// spec is reported; anything else is critical.
func (e *Engine) restoreControl(w snapshot, present func() (map[string][]byte, error), found *restored) error {
	altered, err := e.atWork.intact(w.ID)
	if err != nil {
		return err
	}
	for _, name := range altered {
		severity, who := e.atWork.blame(w.ID)
		found.add(severity, who+" changed the session's own file "+name, "it was put back", "")
	}
	all, err := present()
	if err != nil {
		return err
	}
	g := e.guarding(w)
	changed, err := g.PutControlBack(w.Control, all)
	for _, c := range changed {
		f := g.TellControl(c)
		if e.isPaper(c.Path) {
			f.Severity = machine.Important
		}
		found.findings = append(found.findings, f)
	}
	return err
}

// isPaper says whether a control file is a plan or a spec.
func (e *Engine) isPaper(path string) bool {
	return strings.HasSuffix(path, ".md") && !strings.HasPrefix(path, e.Harness)
}
