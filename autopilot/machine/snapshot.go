package machine

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
