package plans

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/spec/plan"
)

// fixed is a session in which nothing happens.
type fixed struct {
	journal.Store
	s machine.State
}

func (f fixed) State() machine.State { return f.s }

const aPlan = "# Plan\n\n## Tasks\n\n### Task 1: Word\n\n**Depends on:** none | **Files:** a.txt | **Validation:** `true`\n\n1. Write.\n"

func TestThePlanThatIsMeantIsFound(t *testing.T) {
	for name, c := range map[string]struct {
		before, after map[string]string // files in docs/plans
		hint          string
		want, says    string
	}{
		"by the phase's name":                  {nil, map[string]string{"2026-01-02-greet-plan.md": aPlan, "notes.md": "x"}, "", "docs/plans/2026-01-02-greet-plan.md", ""},
		"the only new one":                     {map[string]string{"old.md": aPlan}, map[string]string{"mine.md": aPlan}, "", "docs/plans/mine.md", ""},
		"the one that the planner names":       {nil, map[string]string{"greet-plan.md": aPlan, "2-greet-plan.md": aPlan}, "docs/plans/greet-plan.md", "docs/plans/greet-plan.md", ""},
		"several":                              {nil, map[string]string{"greet-plan.md": aPlan, "2-greet-plan.md": aPlan}, "", "", "several plans fit"},
		"none":                                 {nil, nil, "", "", "no plan was found"},
		"a draft is none":                      {nil, map[string]string{"greet-plan.draft.md": aPlan}, "", "", "no plan was found"},
		"what was there before is not new":     {map[string]string{"greet-plan.md": aPlan}, nil, "", "", "nothing is new or changed"},
		"what was there and was changed is":    {map[string]string{"greet-plan.md": "# Plan\n"}, map[string]string{"greet-plan.md": aPlan}, "", "docs/plans/greet-plan.md", ""},
		"the plan of another phase is not its": {nil, map[string]string{"leave-plan.md": aPlan}, "", "", "no plan was found"},
		"without a task it is none":            {nil, map[string]string{"greet-plan.md": "# Plan\n"}, "", "", "has no task"},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			put := func(files map[string]string) {
				for name, text := range files {
					path := filepath.Join(root, "docs", "plans", name)
					if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
						t.Fatal(err)
					}
				}
			}
			s := machine.State{SpecPath: "docs/spec.md", CurrentState: machine.Plan, Phases: []machine.Phase{
				{Number: "1", Name: "Greet", Status: machine.PhaseInProgress, PlanHint: c.hint}, {Number: "2", Name: "Leave", Status: machine.PhasePending},
			}}
			ps := Plans{Root: root, Home: root, Journal: journal.New(fixed{s: s}, nil, nil, nil, nil), Now: time.Now, Parsed: &Parsed{}}
			put(c.before)
			stood, err := ps.Stood()
			if err != nil {
				t.Fatal(err)
			}
			s.Phases[0].Planning.Stood = stood
			put(c.after)
			found, err := ps.Locate()
			if err != nil || found.Path != c.want || !strings.Contains(found.Trouble, c.says) || (c.says == "") != (found.Plan != nil) {
				t.Errorf("found %q (%s), error %v", found.Path, found.Trouble, err)
			}
		})
	}
}

func TestAPlanIsAPersonsOwnWhereNoAgentWroteIt(t *testing.T) {
	for name, c := range map[string]struct {
		stood      machine.Stood // when the plan was wanted
		dispatched string
		own        string
	}{
		"it came since":                {machine.Stood{"docs/plans/other.md": "1"}, "", "sum"},
		"it was there":                 {machine.Stood{"docs/plans/greet.md": "1"}, "", ""},
		"a draft of it was there":      {machine.Stood{"docs/plans/greet.draft.md": "1"}, "", ""},
		"nobody knows what was there":  {nil, "", ""},
		"the planner made one":         {machine.Stood{}, "planner", ""},
		"the planner drafted one":      {machine.Stood{}, "draft", ""},
		"it was made with the planner": {machine.Stood{}, "interactive", ""},
		"others were dispatched":       {machine.Stood{}, "reviewer", "sum"},
	} {
		t.Run(name, func(t *testing.T) {
			s := machine.State{Phases: []machine.Phase{{Planning: machine.Planning{Stood: c.stood}, Dispatches: map[string]int{c.dispatched: 1}}}}
			ps := Plans{Journal: journal.New(fixed{s: s}, nil, nil, nil, nil)}
			if own := ps.Own(Located{Path: "docs/plans/greet.md", Plan: &plan.Plan{SHA256: "sum"}}); own != c.own {
				t.Errorf("own %q, want %q", own, c.own)
			}
		})
	}
}

func TestAPlanThatIsThereIsNoPlaceForAnother(t *testing.T) {
	day := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	ps := Plans{Journal: journal.New(fixed{}, nil, nil, nil, nil), Now: func() time.Time { return day }}
	const first, second = "docs/plans/2026-01-02-greet-plan.md", "docs/plans/2026-01-02-2-greet-plan.md"
	stood := machine.Planning{Stood: machine.Stood{first: "1"}}
	for name, c := range map[string]struct {
		phase machine.Phase
		want  string
	}{
		"nothing was there":  {machine.Phase{Name: "Greet"}, first},
		"of another phase":   {machine.Phase{Name: "Greet", Planning: stood}, second},
		"its own":            {machine.Phase{Name: "Greet", Planning: stood, PlanPath: first}, first},
		"the planner's word": {machine.Phase{Name: "Greet", Planning: stood, PlanHint: first}, first},
	} {
		if got := ps.Suggested(c.phase); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
