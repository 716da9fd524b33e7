package transition

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/machine"
)

func TestSnapshotsAreKeptUntilTheyAreDropped(t *testing.T) {
	of := func(s ...string) (all machine.Snapshots) {
		for i := 0; i < len(s); i += 2 {
			all = append(all, machine.Snapshot{Of: s[i], Commit: s[i+1]})
		}
		return all
	}
	for name, c := range map[string]struct {
		before machine.Snapshots
		event  machine.Event
		want   machine.Snapshots
	}{
		"a new one":                   {of("end", "a"), machine.Event{Type: machine.SnapshotTaken, Snapshots: of("check", "b")}, of("end", "a", "check", "b")},
		"one is renewed":              {of("end", "a", "check", "b"), machine.Event{Type: machine.SnapshotTaken, Snapshots: of("end", "c")}, of("check", "b", "end", "c")},
		"one is dropped":              {of("end", "a", "check", "b"), machine.Event{Type: machine.SnapshotTaken, Snapshots: of("end", "")}, of("check", "b")},
		"its dispatch ended":          {of("d1", "a", "d1/proof", "b", "d10", "c"), machine.Event{Type: machine.DispatchEnded, Ended: &machine.Ended{ID: "d1"}}, of("d10", "c")},
		"another event changes none":  {of("d1", "a"), machine.Event{Type: machine.Noted, Detail: "x"}, of("d1", "a")},
		"a dispatch of an older one":  {nil, machine.Event{Type: machine.DispatchEnded, Ended: &machine.Ended{ID: "d1"}}, nil},
		"what is announced with it":   {of("end", "a"), machine.Event{Type: machine.Dispatched, Snapshots: of("d2", "b")}, of("end", "a", "d2", "b")},
		"nothing is there to be kept": {nil, machine.Event{Type: machine.SnapshotTaken, Snapshots: of("end", "")}, nil},
	} {
		s := machine.State{Snapshots: c.before}
		(&move{s: &s, e: c.event}).keepSnapshots()
		if diff := cmp.Diff(c.want, s.Snapshots, cmp.Transformer("none", func(all machine.Snapshots) []machine.Snapshot { return append([]machine.Snapshot{}, all...) })); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}
