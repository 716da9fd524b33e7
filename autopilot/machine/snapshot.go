package machine

import (
	"slices"
	"strings"
)

// Snapshot is a commit that keeps what the working tree was.
type Snapshot struct {
	Of     string `json:"of"`               // a dispatch that is in flight, by its id, or something below that; else a name that the driver chose
	Commit string `json:"commit,omitempty"` // "": it is dropped
}

// Snapshots are those that a resume may have to compare with.
type Snapshots []Snapshot

// Of is the commit of a snapshot; "" where there is none.
func (all Snapshots) Of(name string) string {
	for _, s := range all {
		if s.Of == name {
			return s.Commit
		}
	}
	return ""
}

// keepSnapshots takes over the snapshots that the event names, and drops those of a dispatch that ended.
func (m *move) keepSnapshots() {
	var ended string
	switch {
	case m.e.Type == DispatchEnded:
		ended = m.e.Ended.ID
	case m.e.Type == AsideEnded:
		ended = m.before.Aside.Dispatch.ID
	case len(m.e.Snapshots) == 0:
		return
	}
	kept := slices.DeleteFunc(slices.Clone(m.s.Snapshots), func(s Snapshot) bool {
		renewed := slices.ContainsFunc(m.e.Snapshots, func(n Snapshot) bool { return n.Of == s.Of })
		return renewed || ended != "" && (s.Of == ended || strings.HasPrefix(s.Of, ended+"/"))
	})
	for _, s := range m.e.Snapshots {
		if s.Commit != "" {
			kept = append(kept, s)
		}
	}
	m.s.Snapshots = kept
}
