package spec_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"autopilot/spec"
)

func TestDiffSaysWhatBecameOfEachPhase(t *testing.T) {
	a := spec.Phase{Number: "1", Name: "A", SHA256: "a"}
	b := spec.Phase{Number: "2", Name: "B", SHA256: "b"}
	c := spec.Phase{Number: "3", Name: "C", SHA256: "c"}
	as := func(p spec.Phase, number, name, sha string) spec.Phase {
		p.Number, p.Name, p.SHA256 = number, name, sha
		return p
	}
	for name, test := range map[string]struct {
		before, after []spec.Phase
		want          []spec.Change
	}{
		"nothing": {[]spec.Phase{a, b}, []spec.Phase{a, b}, []spec.Change{{Kind: spec.Same, Old: 0, New: 0}, {Kind: spec.Same, Old: 1, New: 1}}},
		"text":    {[]spec.Phase{a}, []spec.Phase{as(a, "1", "A", "x")}, []spec.Change{{Kind: spec.Changed, Old: 0, New: 0}}},
		"renamed": {[]spec.Phase{a}, []spec.Phase{as(a, "1", "X", "x")}, []spec.Change{{Kind: spec.Changed, Old: 0, New: 0}}},
		"added":   {[]spec.Phase{a}, []spec.Phase{a, b}, []spec.Change{{Kind: spec.Same, Old: 0, New: 0}, {Kind: spec.Added, Old: -1, New: 1}}},
		"removed": {[]spec.Phase{a, b, c}, []spec.Phase{a, c}, []spec.Change{{Kind: spec.Same, Old: 0, New: 0}, {Kind: spec.Same, Old: 2, New: 1}, {Kind: spec.Removed, Old: 1, New: -1}}},
		"put in between": {
			[]spec.Phase{a, b},
			[]spec.Phase{a, as(c, "2", "C", "c"), as(b, "3", "B", "b")},
			[]spec.Change{{Kind: spec.Same, Old: 0, New: 0}, {Kind: spec.Added, Old: -1, New: 1}, {Kind: spec.Moved, Old: 1, New: 2}},
		},
		"order":          {[]spec.Phase{a, b}, []spec.Phase{b, a}, []spec.Change{{Kind: spec.Moved, Old: 1, New: 0}, {Kind: spec.Moved, Old: 0, New: 1}}},
		"hash not known": {[]spec.Phase{as(a, "1", "A", "")}, []spec.Phase{a}, []spec.Change{{Kind: spec.Same, Old: 0, New: 0}}},
		"all new":        {[]spec.Phase{a}, []spec.Phase{c}, []spec.Change{{Kind: spec.Added, Old: -1, New: 0}, {Kind: spec.Removed, Old: 0, New: -1}}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, spec.Diff(test.before, test.after)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
