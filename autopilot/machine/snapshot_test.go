package machine

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSnapshotsAreKeptUntilTheyAreDropped(t *testing.T) {
	of := func(s ...string) (all Snapshots) {
		for i := 0; i < len(s); i += 2 {
			all = append(all, Snapshot{Of: s[i], Commit: s[i+1]})
		}
		return all
	}
	for name, c := range map[string]struct {
		before Snapshots
		event  Event
		want   Snapshots
	}{
		"a new one":                   {of("end", "a"), Event{Type: SnapshotTaken, Snapshots: of("check", "b")}, of("end", "a", "check", "b")},
		"one is renewed":              {of("end", "a", "check", "b"), Event{Type: SnapshotTaken, Snapshots: of("end", "c")}, of("check", "b", "end", "c")},
		"one is dropped":              {of("end", "a", "check", "b"), Event{Type: SnapshotTaken, Snapshots: of("end", "")}, of("check", "b")},
		"its dispatch ended":          {of("d1", "a", "d1/proof", "b", "d10", "c"), Event{Type: DispatchEnded, Ended: &Ended{ID: "d1"}}, of("d10", "c")},
		"another event changes none":  {of("d1", "a"), Event{Type: Noted, Detail: "x"}, of("d1", "a")},
		"a dispatch of an older one":  {nil, Event{Type: DispatchEnded, Ended: &Ended{ID: "d1"}}, nil},
		"what is announced with it":   {of("end", "a"), Event{Type: Dispatched, Snapshots: of("d2", "b")}, of("end", "a", "d2", "b")},
		"nothing is there to be kept": {nil, Event{Type: SnapshotTaken, Snapshots: of("end", "")}, nil},
	} {
		s := State{Snapshots: c.before}
		(&move{s: &s, e: c.event}).keepSnapshots()
		if diff := cmp.Diff(c.want, s.Snapshots, cmp.Transformer("none", func(all Snapshots) []Snapshot { return append([]Snapshot{}, all...) })); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}
