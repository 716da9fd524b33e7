package proof

import (
	"slices"

	"autopilot/autopilot/integrity"
)

// Change is a changed path.
type Change struct {
	Path, Old string // Old is another one where the file was renamed; "" otherwise
	New       bool   // there was none
}

// Swap is what a tree of the work gets so that what judged before judges it.
type Swap struct {
	Back []string // what the base has of these is put back
	Out  []string // these are left out
	Gone []string // these are removed
}

// Empty says whether nothing that judges was touched.
func (s Swap) Empty() bool { return len(s.Back)+len(s.Out) == 0 }

// Needed says of a tree that does not build whether the files that are left out are a part of the work: nothing old was put
// back that could be the cause.
func (s Swap) Needed(v Verdict) bool { return v == Unbuilt && len(s.Back) == 0 }

// Adds says whether the change did nothing to what judges but to add files with tests. These can steer the tests beside them
// all the same, as a TestMain does.
func (s Swap) Adds() bool {
	return len(s.Back) == 0 && !slices.ContainsFunc(s.Out, func(path string) bool { return integrity.RoleOf(path) != integrity.Test })
}

// Old says what has to be swapped where these paths changed. Files that build as well are among it only if both is true;
// scripts are files that the commands run, by their paths.
func Old(changes []Change, scripts map[string]bool, both bool) Swap {
	var s Swap
	judges := func(path string) bool {
		role := integrity.RoleOf(path)
		return role.Judges() || both && (role == integrity.Both || scripts[path])
	}
	for _, c := range changes {
		before := c.Old
		if before == "" && !c.New {
			before = c.Path
		}
		if before != "" && judges(before) {
			s.Back = append(s.Back, before)
		}
		if before != c.Path && judges(c.Path) {
			s.Out = append(s.Out, c.Path)
		}
	}
	return s
}
