package autopilot

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// maxControl is the size up to which a control file is remembered whole, in bytes.
const maxControl = 1 << 20

// control reads the files that decide how the program works: what a persona changes of them is put back. The session's
// journal and snapshot are guarded by its Seal; projections and what the program writes meanwhile do not count.
func (e *Engine) control(persona personas.Persona) (map[string][]byte, error) {
	s := e.state()
	files := map[string][]byte{}
	single := []string{filepath.Join(e.Repo.Root(), projectFile), filepath.Join(filepath.Dir(e.Harness), projectFile), e.Spec}
	for _, name := range []string{"learnings.md", "failures.md", "init.sh", "project_profile.json"} {
		single = append(single, filepath.Join(e.Harness, name))
	}
	if plan := s.Phases[s.CurrentPhase].PlanPath; plan != "" && !persona.Allows(personas.MayPlan) {
		single = append(single, filepath.Join(e.Repo.Root(), filepath.FromSlash(plan)))
	}
	for _, path := range single {
		if err := remember(files, path); err != nil {
			return nil, err
		}
	}
	for _, dir := range []string{"validate.d", "personas"} {
		if err := rememberAll(files, filepath.Join(e.Harness, dir), nil); err != nil {
			return nil, err
		}
	}
	return files, rememberAll(files, e.Records.Dir(), unguarded)
}

// unguarded are the files of a session that the program itself writes while a dispatch runs, that people may write,
// or that are never read back.
func unguarded(name string) bool {
	first, _, _ := strings.Cut(filepath.ToSlash(name), "/")
	return slices.Contains([]string{"inbox", "attempts", "evidence", "scratchpad", "lock", "events.jsonl", "progress.txt", "state.json", "handoff.json", "learnings.md"}, first) ||
		strings.HasPrefix(first, "autopilot-state.") || strings.HasSuffix(first, "-tasks.json")
}

// remember reads a file; one that is not there is remembered as missing (nil).
func remember(files map[string][]byte, path string) error {
	info, err := os.Lstat(path)
	if os.IsNotExist(err) {
		files[path] = nil
		return nil
	}
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxControl {
		return err
	}
	data, err := os.ReadFile(path)
	if err == nil && data == nil {
		data = []byte{}
	}
	files[path] = data
	return err
}

// rememberAll reads the files of a folder, which need not exist, except those that skip names.
func rememberAll(files map[string][]byte, dir string, skip func(rel string) bool) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil || rel == "." {
			return err
		}
		if skip != nil && skip(rel) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return nil
		}
		return remember(files, path)
	})
}

// settleControl puts altered control files back, and takes new ones away. A changed plan or spec is reported; anything
// else is critical.
func (e *Engine) settleControl(w watch, persona personas.Persona, found *settled) error {
	altered, err := e.intact(w.ID)
	if err != nil {
		return err
	}
	for _, name := range altered {
		severity, who := e.blame(w.ID)
		found.add(severity, who+"changed the session's own file "+name, "it was put back", "")
	}
	all, err := e.control(persona)
	if err != nil {
		return err
	}
	changed, err := putControlBack(w.Control, all)
	for _, path := range changed {
		severity, who := e.blame(w.ID)
		if strings.HasSuffix(path, ".md") && !strings.HasPrefix(path, e.Harness) {
			severity = machine.Important
		}
		found.add(severity, who+"changed a file that decides how the work is run: "+e.rel(path), "it was put back", e.rel(path))
	}
	return err
}

// putControlBack makes control files what they were before, and lists those that were not. What is among the present
// ones alone is new, and taken away.
func putControlBack(before, present map[string][]byte) ([]string, error) {
	all := maps.Clone(present)
	maps.Copy(all, before)
	var changed []string
	for _, path := range slices.Sorted(maps.Keys(all)) {
		was := before[path]
		now, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) {
			return changed, err
		}
		if (was == nil) == os.IsNotExist(err) && bytes.Equal(was, now) {
			continue
		}
		if err := putBack(path, was); err != nil {
			return changed, err
		}
		changed = append(changed, path)
	}
	return changed, nil
}

func putBack(path string, data []byte) error {
	if data == nil {
		return os.Remove(path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}
