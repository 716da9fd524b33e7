package audit

import (
	"fmt"
	"slices"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
)

// Problem is something in a session that does not hold.
type Problem struct {
	Where string `json:"where"` // a file of the session's folder, a revision of the journal, or a commit
	What  string `json:"what"`
	Means string `json:"means"`
}

// Report is what a look at everything that a session recorded gives.
type Report struct {
	State      machine.State        // as the journal says it
	Events     int64                // entries of the journal
	Claims     []Claim              // what the session says of itself
	Proofs     []Proof              // the records on which that rests
	Dispatches []DispatchRecord     // and the dispatches that ended
	Outputs    int                  // files of output that were looked at
	Replies    int                  // replies that were compared with the journal
	Said       []string             // worth knowing, and no problem
	Problems   map[string][]Problem // by what was looked at: state, outputs, attempts, records
}

// The parts of a session's folder that Session looks at, as keys of Report.Problems.
const (
	PartState    = "state"
	PartOutputs  = "outputs"
	PartAttempts = "attempts"
	PartRecords  = "records" // the files that show the records to people and to other tools
)

func (a *Report) problem(part, where, means, format string, args ...any) {
	a.Problems[part] = append(a.Problems[part], Problem{Where: where, What: fmt.Sprintf(format, args...), Means: means})
}

func (a *Report) say(format string, args ...any) {
	a.Said = append(a.Said, fmt.Sprintf(format, args...))
}

// Session replays the journal of a session and holds everything else in its folder against it: snapshot, output files,
// attempts, projections. It takes no lock and writes nothing. Errors are those of sessions.Replay.
func Session(dir string, opts sessions.Options) (Report, error) {
	a := Report{Problems: map[string][]Problem{}}
	ledger, files := &Ledger{}, newShownFiles()
	found, err := sessions.Replay(dir, opts, func(before machine.State, e machine.Event, after machine.State) {
		ledger.Take(before, e, after)
		files.take(before, e, after)
		a.State, a.Events = after, e.Rev
	})
	if err != nil {
		return a, err
	}
	if found.Torn > 0 {
		a.say("the last entry of %s was cut off (%d bytes); the next run removes it", sessions.JournalName, found.Torn)
	}
	a.Claims, a.Proofs, a.Dispatches = ledger.Claims, ledger.Proofs, ledger.Dispatches
	a.judge(found.Copies)
	a.lookAtOutputs(dir)
	a.lookAtAttempts(dir)
	a.lookAtRecords(dir, files)
	return a, nil
}

// judge holds each copy of the state against the journal.
func (a *Report) judge(copies []sessions.Copy) {
	if !slices.ContainsFunc(copies, func(c sessions.Copy) bool { return c.Name == sessions.SnapshotName }) {
		a.problem(PartState, sessions.SnapshotName, "nothing is lost: the next run writes it again from the journal", "it is not there")
	}
	for _, c := range copies {
		switch {
		case c.Err != nil:
			a.problem(PartState, c.Name, "it says nothing; the journal decides, and the next run sets it aside", "%v", c.Err)
		case c.State.Revision > a.Events:
			a.problem(PartState, sessions.JournalName, "entries at the end of the journal are missing",
				"it ends at revision %d, and %s is at revision %d", a.Events, c.Name, c.State.Revision)
		case c.Replay == nil:
			a.problem(PartState, c.Name, "it does not come from this journal", "the journal has no revision %d", c.State.Revision)
		default:
			a.compareState(c)
		}
	}
}
