package spec

import "strings"

// ChangeKind is what became of a phase when a spec changed.
type ChangeKind string

// The kinds of change. A phase that both moved and changed counts as changed.
const (
	Same    ChangeKind = "same"
	Changed ChangeKind = "changed" // its name or text is another
	Moved   ChangeKind = "moved"   // its number or its place among the phases is another
	Added   ChangeKind = "added"
	Removed ChangeKind = "removed"
)

// Change pairs a phase of the old spec with the same phase of the new one.
type Change struct {
	Kind ChangeKind
	// Old and New are indices into the phases compared; -1 where there is none.
	Old, New int
}

// Diff compares the phases of two versions of a spec by Number, Name and SHA256.
// It returns a change for each new phase, in order, then the removed ones.
//
// A phase with the same number and name is the same phase; then one with the same
// name, since a phase put in between renumbers those behind it; then one with the
// same number, which was renamed. An old phase without a hash, from a session
// that recorded none, is compared by number and name alone.
func Diff(before, after []Phase) []Change {
	changes := make([]Change, len(after))
	for i := range changes {
		changes[i] = Change{Kind: Added, Old: -1, New: i}
	}
	taken := make([]bool, len(before))
	for _, key := range []func(Phase) string{
		func(p Phase) string { return sameNumber(p) + "\n" + sameName(p) }, sameName, sameNumber,
	} {
		match(before, after, changes, taken, key)
	}
	rank := ranks(taken)
	place := 0
	for i := range changes {
		c := &changes[i]
		if c.Old < 0 {
			continue
		}
		c.Kind = kindOf(before[c.Old], after[i], rank[c.Old] == place)
		place++
	}
	for i := range before {
		if !taken[i] {
			changes = append(changes, Change{Kind: Removed, Old: i, New: -1})
		}
	}
	return changes
}

func sameNumber(p Phase) string { return strings.ToLower(p.Number) }
func sameName(p Phase) string   { return strings.ToLower(collapse(p.Name)) }

// match pairs the phases that are still alone and agree in the key.
func match(before, after []Phase, changes []Change, taken []bool, key func(Phase) string) {
	free := map[string][]int{}
	for i, p := range before {
		if !taken[i] {
			free[key(p)] = append(free[key(p)], i)
		}
	}
	for i, p := range after {
		if found := free[key(p)]; changes[i].Old < 0 && len(found) > 0 {
			changes[i].Old, taken[found[0]] = found[0], true
			free[key(p)] = found[1:]
		}
	}
}

// ranks counts, for each paired old phase, the paired ones before it.
func ranks(taken []bool) []int {
	all := make([]int, len(taken))
	n := 0
	for i, paired := range taken {
		all[i] = n
		if paired {
			n++
		}
	}
	return all
}

func kindOf(before, after Phase, samePlace bool) ChangeKind {
	switch {
	case before.SHA256 != after.SHA256 && before.SHA256 != "" || sameName(before) != sameName(after):
		return Changed
	case sameNumber(before) != sameNumber(after) || !samePlace:
		return Moved
	}
	return Same
}
