package proof

import (
	"maps"
	"testing"

	"pgregory.net/rapid"

	"autopilot/autopilot/integrity"
)

// TestWhatJudgesIsAsItWas lays any change on any base as a Tree does: what judges is the base's then, and all else the work's.
func TestWhatJudgesIsAsItWas(t *testing.T) {
	paths := []string{"calc.go", "calc_test.go", "new_test.go", "testdata/a.json", "conftest.py", "go.mod", "tools/check.sh", "sub/x.go", "sub/helper_test.go"}
	scripts := map[string]bool{"tools/check.sh": true}
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.MapOf(rapid.SampledFrom(paths), rapid.IntRange(1, 2)).Draw(t, "base")
		work := rapid.MapOf(rapid.SampledFrom(paths), rapid.IntRange(1, 2)).Draw(t, "work")
		both := rapid.Bool().Draw(t, "both")
		var changes []Change
		for _, path := range paths {
			if base[path] != work[path] {
				changes = append(changes, Change{Path: path, New: base[path] == 0})
			}
		}
		if len(changes) > 1 && !changes[0].New && work[changes[0].Path] == 0 && changes[1].New && rapid.Bool().Draw(t, "rename") {
			changes = append([]Change{{Path: changes[1].Path, Old: changes[0].Path}}, changes[2:]...)
		}
		swap := Old(changes, scripts, both)
		tree := maps.Clone(base)
		for _, path := range (Question{Changes: changes}).paths(swap) {
			if tree[path] = work[path]; work[path] == 0 {
				delete(tree, path)
			}
		}
		for _, path := range paths {
			role, want := integrity.RoleOf(path), work[path]
			judges := role.Judges() || both && (role == integrity.Both || scripts[path])
			if judges {
				want = base[path]
			}
			if tree[path] != want {
				t.Fatalf("%s is %d, want %d: %+v of %+v", path, tree[path], want, swap, changes)
			}
		}
	})
}
