package machine

// Totals sum up a session, for people and for other tools.
type Totals struct {
	Phases   int          `json:"phases"` // that are over
	Tasks    int          `json:"tasks"`  // completed, the fixes of the final review too
	Retries  int          `json:"retries"`
	Seconds  float64      `json:"seconds"` // running time
	Usage    Usage        `json:"usage"`
	Findings map[Fate]int `json:"findings"` // what became of how many
}

// TotalsOf sums up a session.
func TotalsOf(s State) Totals {
	t := Totals{Phases: len(s.History), Seconds: s.Elapsed, Usage: s.Usage, Findings: map[Fate]int{}}
	for _, h := range s.History {
		t.Tasks, t.Retries = t.Tasks+h.TasksCompleted, t.Retries+h.RetriesUsed
	}
	for _, fix := range s.Tasks {
		if fix.Kind != KindFinalFix { // the others are in the history, or will be
			continue
		}
		t.Retries += fix.Retries()
		if fix.Status == TaskCompleted {
			t.Tasks++
		}
	}
	for _, e := range s.Register {
		t.Findings[e.Fate]++
	}
	return t
}
