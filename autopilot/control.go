package autopilot

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/git"
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
	for _, p := range s.Phases {
		if p.PlanPath != "" && !persona.Allows(personas.MayPlan) {
			single = append(single, filepath.Join(e.Repo.Root(), filepath.FromSlash(p.PlanPath)))
		}
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

// reading is the same, for when it is wanted.
func (e *Engine) reading(persona personas.Persona) func() (map[string][]byte, error) {
	return func() (map[string][]byte, error) { return e.control(persona) }
}

// unguarded are the files of a session that the program itself writes while a dispatch runs, that people may write,
// or that are never read back. While one of them is replaced it has a second name, which a lane that ends may come upon.
func unguarded(name string) bool {
	first, _, _ := strings.Cut(filepath.ToSlash(name), "/")
	first = strings.TrimSuffix(first, ".tmp")
	return slices.Contains([]string{"inbox", "attempts", "evidence", "scratchpad", "lock", "lock.ended", "events.jsonl", "progress.txt", "state.json", "handoff.json", "learnings.md", parkName}, first) ||
		strings.HasPrefix(first, "autopilot-state.") || strings.HasSuffix(first, "-tasks.json") || strings.HasSuffix(first, "-verify.log")
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

// settleControl puts altered control files back, and takes new ones away; present reads what is there. A changed plan or
// spec is reported; anything else is critical.
func (e *Engine) settleControl(w watch, present func() (map[string][]byte, error), found *settled) error {
	altered, err := e.intact(w.ID)
	if err != nil {
		return err
	}
	for _, name := range altered {
		severity, who := e.blame(w.ID)
		found.add(severity, who+" changed the session's own file "+name, "it was put back", "")
	}
	all, err := present()
	if err != nil {
		return err
	}
	g := e.guarding(w)
	changed, err := g.putControlBack(w.Control, all)
	for _, c := range changed {
		f := g.tellControl(c)
		if f.File = e.rel(c.path); e.isPaper(c.path) {
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

// changedFile is a control file that was not what it was before a dispatch.
type changedFile struct {
	path    string
	unclear bool // who removed it cannot be known
}

// putControlBack makes control files what they were before, and lists those that were not; what they were changed to is
// kept. What is among the present ones alone is new, and taken away.
func (g Guarding) putControlBack(before, present map[string][]byte) ([]changedFile, error) {
	var changed []changedFile
	err := differing(before, present, func(path string, now []byte) error {
		changed = append(changed, changedFile{path, now == nil && g.after(path)})
		return errors.Join(g.keepControl(path, now), putBack(path, before[path]))
	})
	return changed, err
}

// differing calls a function for each control file that is not what it was, in order, with what it is now.
func differing(before, present map[string][]byte, each func(path string, now []byte) error) error {
	all := maps.Clone(present)
	maps.Copy(all, before)
	for _, path := range slices.Sorted(maps.Keys(all)) {
		was := before[path]
		if now, read := present[path]; read && (was == nil) == (now == nil) && bytes.Equal(was, now) {
			continue
		}
		now, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) {
			return err
		}
		if (was == nil) == os.IsNotExist(err) && bytes.Equal(was, now) {
			continue
		}
		if err := each(path, now); err != nil {
			return err
		}
	}
	return nil
}

// after says whether a file that is gone may have gone since the dispatch of a killed run ended. Nothing but its folder
// shows a time, and that of whatever changed there last.
func (g Guarding) after(path string) bool {
	if g.Ended.IsZero() {
		return false
	}
	folder := filepath.Dir(path)
	_, err := os.Lstat(folder)
	return err != nil || git.ChangedAfter(folder, g.Ended)
}

// keepControl keeps what a control file was changed to: after a kill it may have been the user.
func (g Guarding) keepControl(path string, data []byte) error {
	if data == nil {
		return nil
	}
	return putBack(filepath.Join(g.undone(), "control", strings.TrimPrefix(path, filepath.VolumeName(path))), data)
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
