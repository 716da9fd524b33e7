package config

import (
	"path/filepath"
	"strings"
)

// FromRepository returns where a file of the repository sets a key, or the first
// of the keys below it. Whoever wrote the repository chose that value; every
// other value is the user's, or a default.
func (c *Config) FromRepository(path ...string) (Origin, bool) {
	whole := id(path...)
	for _, i := range sortedNames(c.fromRepository) {
		if i == whole || strings.HasPrefix(i, whole+delimiter) {
			return c.fromRepository[i], true
		}
	}
	return Origin{}, false
}

// setBy keeps the origins of the settings that a file won.
func setBy(won map[string]setting, file string) map[string]Origin {
	origins := map[string]Origin{}
	for i, s := range won {
		if file != "" && s.origin.Name == file {
			origins[i] = s.origin
		}
	}
	return origins
}

// isBelow says whether a file lies in a folder, links followed.
func isBelow(dir, file string) bool {
	if dir == "" {
		return false
	}
	rel, err := filepath.Rel(followed(dir), followed(file))
	return err == nil && filepath.IsLocal(rel)
}

// followed is a path without links; one that does not exist stays as it is.
func followed(path string) string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	return path
}
