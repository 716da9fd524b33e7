package view

import (
	"slices"

	"autopilot/autopilot/machine"
)

// worksOf is what runs now: as the run itself says, else what the journal says was begun.
func worksOf(f Facts) []Running {
	running := []Running{}
	if !f.Held || f.State.Gate != nil && !f.State.LanesBusy() {
		return running
	}
	var works []Work
	if f.Now != nil {
		works = f.Now.Works
	}
	if len(works) == 0 {
		for _, d := range f.State.Flights() {
			works = append(works, Work{Task: d.Task, Persona: d.Persona, Purpose: d.Purpose, Since: d.At})
		}
	}
	if len(works) == 0 && f.State.LimitedUntil == nil {
		works = []Work{{Since: f.State.UpdatedAt}}
	}
	for _, w := range works {
		at := slices.IndexFunc(running, func(r Running) bool { return r.Task == w.Task })
		if at >= 0 { // the check of an agent's work, while the agent waits for it
			running[at] = runningOf(f, w)
			continue
		}
		running = append(running, runningOf(f, w))
	}
	return running
}

func runningOf(f Facts, w Work) Running {
	s := f.State
	if w.Since.IsZero() {
		w.Since = s.UpdatedAt
	}
	r := Running{Work: w, Of: len(s.Tasks), Doing: doing(s, w)}
	if t, ok := s.Task(w.Task); ok {
		r.N, r.Title, r.Attempt, r.Limit, r.USD = numberOf(s.Tasks, t.ID), t.Title, len(t.Failures())+1, limitOf(s, t), t.Spent.CostUSD
	}
	if w.Command != "" && f.Past != nil {
		r.LastTook = f.Past.took[w.Command]
	}
	return r
}

// limitNow is what keeps the session from going on, in words.
func limitNow(f Facts) *Limit {
	s := f.State
	if f.Held && s.LimitedUntil != nil && s.CurrentState != machine.Done {
		return &Limit{Text: limitText(s), Backend: s.LimitedBackend, Until: *s.LimitedUntil, Waits: true}
	}
	if f.Held {
		return nil
	}
	return f.Limit
}

// waits lists, by number, the tasks that a task waits for.
func waits(tasks []machine.Task, t machine.Task) []int {
	after := []int{}
	for _, id := range t.DependsOn {
		if n := numberOf(tasks, id); n > 0 {
			after = append(after, n)
		}
	}
	slices.Sort(after)
	return after
}
