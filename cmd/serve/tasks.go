package serve

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"autopilot/cmd/serve/sites"
	"autopilot/sessions/view"
)

// ofTask is the page of a task: its attempts with their checks.
type ofTask struct {
	page
	ID     string
	Phase  int // 1-based position; 0: of the final review
	Number string
	Task   view.Task
}

func (s *server) task(w http.ResponseWriter, r *http.Request, one *sites.Site, seen sites.Sight) error {
	phase, _ := strconv.Atoi(r.PathValue("phase"))
	number, tasks := "", seen.FinalTasks
	if phase > 0 && phase <= len(seen.Phases) {
		number, tasks = seen.Phases[phase-1].Number, seen.Phases[phase-1].Tasks
	}
	at := slices.IndexFunc(tasks, func(t view.Task) bool { return strconv.Itoa(t.N) == r.PathValue("n") })
	if at < 0 || strconv.Itoa(phase) != r.PathValue("phase") {
		return notFound("There is no such task.")
	}
	p, err := s.page(r, fmt.Sprintf("Task %d: %s", tasks[at].N, tasks[at].Title), one.ID)
	if err != nil {
		return err
	}
	return s.show(w, "task", ofTask{p, one.ID, phase, number, tasks[at]}, http.StatusOK)
}

// ofRuns is the page of all agent runs, the last one first.
type ofRuns struct {
	page
	ID   string
	Runs []ranAgent
}

// ranAgent is a row of it.
type ranAgent struct {
	sites.AgentRun
	When, Ended, Class string
	Seconds, USD       float64
}

// runEnds say how an agent run ended: by a reply, which is no word on its work.
var runEnds = map[string]string{"ok": "replied", "failed": "no reply", "cut": "cut off", "open": "at work"}

func (s *server) runs(w http.ResponseWriter, r *http.Request, one *sites.Site, seen sites.Sight) error {
	p, err := s.page(r, "Agent runs", one.ID)
	if err != nil {
		return err
	}
	data := ofRuns{page: p, ID: one.ID}
	for _, a := range one.Runs(seen) {
		row := ranAgent{AgentRun: a}
		if t := a.Span; t != nil {
			row.When, row.Ended, row.Class, row.Seconds, row.USD = t.Start.Local().Format("2 Jan 15:04"), runEnds[t.Class], t.Class, t.End.Sub(t.Start).Seconds(), t.USD
		}
		data.Runs = append(data.Runs, row)
	}
	slices.Reverse(data.Runs)
	return s.show(w, "runs", data, http.StatusOK)
}

// ofAttempt is the page of an agent run: what it was told, said and did.
type ofAttempt struct {
	page
	ID      string
	Run     sites.AgentRun
	Attempt *view.Attempt // nil: it is no attempt of a task
	Parts   []sites.Part
	Turns   []sites.Turn
}

func (s *server) attempt(w http.ResponseWriter, r *http.Request, one *sites.Site, seen sites.Sight) error {
	a := one.Run(seen, r.PathValue("phase"), r.PathValue("place"), r.PathValue("n"))
	if a == nil {
		return notFound("There is no such agent run.")
	}
	parts, turns, err := one.Parts(*a)
	if err != nil {
		return err
	}
	p, err := s.page(r, a.Title(), one.ID)
	if err != nil {
		return err
	}
	return s.show(w, "attempt", ofAttempt{p, one.ID, *a, a.Attempt, parts, turns}, http.StatusOK)
}
