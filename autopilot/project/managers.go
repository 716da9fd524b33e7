package project

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// managers finds the package managers of each folder. A folder below one of the same family has none of its own, unless
// it has a lock file: it is a member of that workspace, or an example.
func (t *tree) managers() []Manager {
	var all []Manager
	seen := map[[2]string]bool{} // families and folders
	for _, m := range PackageManagers {
		for _, manifest := range m.Manifests {
			for _, p := range t.files(manifest) {
				dir := folder(p)
				if key := [2]string{m.Family, dir}; !seen[key] && !aside(dir) {
					seen[key] = true
					one := t.manager(m.Family, dir)
					one.Source = cmp.Or(one.Source, path.Base(p))
					all = append(all, one)
				}
			}
		}
	}
	all = slices.DeleteFunc(all, func(m Manager) bool { return m.Name == "" })
	slices.SortStableFunc(all, func(a, b Manager) int { return strings.Compare(a.Dir, b.Dir) })
	found := []Manager{}
	for _, one := range all {
		if !slices.ContainsFunc(found, func(other Manager) bool { return covers(other, one) }) {
			found = append(found, one)
		}
	}
	return found
}

// covers says whether what is installed for one is installed with the other.
func covers(other, one Manager) bool {
	within := other.Dir == one.Dir || one.Lock == "" && inside(other.Dir, one.Dir)
	return within && Known(one.Name).Family == Known(other.Name).Family
}

// aside says whether a folder lies in one that is not part of the project's own work.
func aside(dir string) bool {
	return slices.ContainsFunc(strings.Split(dir, "/"), func(s string) bool {
		return slices.Contains([]string{"docs", "doc", "example", "examples", "fixtures", "templates", "samples"}, s)
	})
}

// manager is the one of a family in a folder with a manifest of it; the zero Manager is none. Its source is "" where the
// manifest is another's of the family, or a pattern.
func (t *tree) manager(family, dir string) Manager {
	has := func(file string) bool { return t.has(dir, file) }
	named := ""
	if family == Node {
		named = t.packageJSON(dir).PackageManager
	}
	m, lock := Choose(family, named, has)
	if family == Python && lock == "" {
		m, _ = Choose(family, t.pythonNamed(dir), has)
	}
	one := Manager{Name: m.Name, Dir: dir, Lock: lock, Install: m.Install}
	if p := t.first(dir, m.Manifests...); p != "" {
		one.Source = path.Base(p)
	}
	if lock != "" {
		one.Install = cmp.Or(m.Locked, m.Install)
	}
	if len(m.Folders) > 0 && !m.selfChecking {
		one.Installed = m.Folders[0]
	}
	if m.Name == "pip" && !t.pip(&one) {
		return Manager{}
	}
	return one
}

// Installers are the package managers that have something to install, each once.
func (p Profile) Installers() []string {
	var names []string
	for _, m := range p.PackageManagers {
		if m.Install != "" && !slices.Contains(names, m.Name) {
			names = append(names, m.Name)
		}
	}
	return names
}
