// Package plans finds and reads the plan of a phase: which files are plans, which one is meant, and what it says.
//
// A call goes: Plans.Stood remembers what the folders for plans hold before somebody is asked for one; Plans.Locate finds the
// one that is new or changed since, and reads it; Facts is the plan as the core takes it. Plans.Place is where a human's plan
// belongs. It writes nothing, and approves nothing.
package plans

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"time"

	"autopilot/autopilot/journal"
	"autopilot/spec/plan"
)

// Plans are those of a session, in one working tree.
type Plans struct {
	Root    string // of the working tree
	Home    string // in which .harness lies; a lane's working tree is below it
	Journal *journal.Journal
	Now     func() time.Time
	Parsed  *Parsed
}

// Parsed is the plan that was parsed last: it is looked at before each step, and seldom another than before. Nobody
// changes what was parsed.
type Parsed struct {
	mu   sync.Mutex
	src  []byte
	plan *plan.Plan
}

func (p *Parsed) parse(src []byte) (*plan.Plan, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.plan != nil && bytes.Equal(src, p.src) {
		return p.plan, nil
	}
	plan, err := plan.ParsePlan(src)
	if err == nil {
		p.src, p.plan = src, plan
	}
	return plan, err
}

func (ps Plans) exists(file string) bool {
	_, err := os.Stat(filepath.Join(ps.Root, filepath.FromSlash(file)))
	return err == nil
}
