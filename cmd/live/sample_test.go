package live

import (
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions/view"
)

// noon is when the screens of the tests are looked at.
var noon = time.Date(2026, 11, 25, 15, 33, 2, 0, time.Local)

func ago(d time.Duration) time.Time { return noon.Add(-d) }

func day(hour, minute int) time.Time { return time.Date(2026, 11, 25, hour, minute, 0, 0, time.Local) }

// sample is the session of the screens: phase 2 of 3, task 2 of 5.
func sample() view.Session {
	tasks := make([]view.Task, 5)
	tasks[0].Mark = view.Passed
	phases := make([]view.Phase, 3)
	for i, name := range []string{"Count requests", "Rule engine", "Headers"} {
		phases[i].Number, phases[i].Name, phases[i].Position = string(rune('1'+i)), name, i+1
	}
	phases[0].Outcome, phases[1].Tasks = "complete", tasks
	phases[1].Steps = []view.PhaseStep{{Name: "plan", Mark: view.Passed}, {Name: "build", Mark: view.Active, Count: "1/5"}, {Name: "check", Mark: view.Pending}, {Name: "review", Mark: view.Pending}}
	return view.Session{
		Spec: "docs/limits.md", Title: "Rate limits per API key", Standing: view.AtWork, State: machine.Execute, Phase: 2, Phases: phases,
		Headline: "task 2 of 5 (Parse the rules)", CostKnown: true, Usage: machine.Usage{CostUSD: 3.01}, Clock: view.Clock{Work: 5484},
		Budgets: []view.Budget{{Name: "cost", Used: 3.01, Of: 20}},
		Works:   []view.Running{task(2, "Parse the rules", 2, 3*time.Minute+12*time.Second, 0.18, "Editing rules/parse.go: nested groups keep their scope", 4*time.Second)},
	}
}

func task(n int, title string, attempt int, since time.Duration, usd float64, last string, lastAgo time.Duration) view.Running {
	return view.Running{
		Work: view.Work{Persona: "executor", Since: ago(since), LastLine: last, LastLineAt: ago(lastAgo), IdleStops: ago(lastAgo).Add(10 * time.Minute)},
		N:    n, Of: 5, Title: title, Attempt: attempt, Limit: 4, USD: usd, Doing: "Task " + string(rune('0'+n)) + " of 5 · " + title,
	}
}

func checking(n int, title, command string, since time.Duration, took float64, last string) view.Running {
	w := task(n, title, 1, since, 0, last, time.Second)
	w.Persona, w.Command, w.LastTook, w.Doing, w.IdleStops = "", command, took, "Checking task "+string(rune('0'+n))+" of 5", time.Time{}
	return w
}

// situations are those in which the region looks different.
func situations() map[string]view.Session {
	all := map[string]view.Session{"task": sample()}
	with := func(name string, change func(*view.Session)) {
		s := sample()
		change(&s)
		all[name] = s
	}
	with("planning", func(s *view.Session) {
		s.Phases[1].Steps = []view.PhaseStep{{Name: "plan", Mark: view.Active}, {Name: "build", Mark: view.Pending}, {Name: "check", Mark: view.Pending}, {Name: "review", Mark: view.Pending}}
		s.Works = []view.Running{{Work: view.Work{Persona: "planner", Since: ago(107 * time.Second), LastLine: "Reading internal/limit/store.go", LastLineAt: ago(2 * time.Second)}, USD: 0.09, Doing: "Planning phase 2 (Rule engine)"}}
	})
	with("checking", func(s *view.Session) {
		s.Works = []view.Running{checking(2, "Parse the rules", "go test ./...", 41*time.Second, 38, "ok   example.com/limit/store  3.1s")}
	})
	with("silent", func(s *view.Session) {
		s.Works = []view.Running{task(2, "Parse the rules", 2, 9*time.Minute+40*time.Second, 0.31, "Thinking", 4*time.Minute+10*time.Second)}
	})
	with("lanes", func(s *view.Session) {
		s.Works = []view.Running{
			task(2, "Parse the rules", 2, 3*time.Minute+12*time.Second, 0.31, "Editing rules/parse.go", 4*time.Second),
			checking(3, "Match a request", "go test ./match", 7*time.Second, 0, "ok"),
			task(5, "Write the docs", 1, 100*time.Second, 0.40, "", 62*time.Second),
		}
	})
	with("many lanes", func(s *view.Session) {
		s.Works = nil
		for n := 1; n <= 5; n++ {
			s.Works = append(s.Works, task(n, "Write the docs of a long title, part "+string(rune('0'+n)), 1, time.Minute, 0.1, "Editing docs/rules.md", time.Second))
		}
	})
	with("limit", func(s *view.Session) {
		s.Standing, s.Works = view.Waiting, nil
		s.Limit = &view.Limit{Backend: "claude", Until: noon.Add(2*time.Hour + 11*time.Minute + 5*time.Second)}
	})
	with("final review", func(s *view.Session) {
		s.State, s.CostKnown = machine.FinalReview, false
		s.Works = []view.Running{{Work: view.Work{Persona: "reviewer", Since: ago(time.Minute), LastLine: "Reading 密码.go \x1b[31mnow\u202e", LastLineAt: ago(time.Second)}, Doing: "Reviewing the whole change"}}
	})
	with("over budget", func(s *view.Session) {
		s.Usage.CostUSD, s.Budgets[0].Used = 16.4, 16.4
	})
	return all
}

// past is the transcript of the screens.
func past() []view.Line {
	return []view.Line{
		{At: day(14, 2), Kind: "check", Mark: view.Passed, Text: "Checks passed before the first change", Seconds: 38},
		{At: day(14, 2), Kind: "phase", Text: "Phase 1 of 3 · Count requests"},
		{At: day(14, 6), Kind: "plan", Mark: view.Passed, Text: "Plan: 3 tasks, approved by rule (low complexity)", Seconds: 231, USD: 0.21},
		{At: day(14, 13), Kind: "task", Mark: view.Passed, Text: "1/3 Store counters · 4 files +120 −8 · 3f9ac1e", Seconds: 400, USD: 0.44},
		{
			At: day(14, 21), Kind: "task_failed", Mark: view.Broken, Text: "2/3 Read the limit · attempt 1 of 4 · go test ./... failed", Seconds: 422, USD: 0.52,
			Detail: []string{"TestLimitFromKey: limit_test.go:31: got 100, want 20", "full output: autopilot log docs/limits.md --task 2"},
		},
		{At: day(14, 27), Kind: "task", Mark: view.Passed, Text: "2/3 Read the limit · attempt 2 of 4 · +31 −4 · 77e01bd", Seconds: 350, USD: 0.31},
		{At: day(14, 30), Kind: "warning", Text: "The clock was set back: it is 2:00 behind the session's last event. The journal goes on from that event's time."},
		{At: day(15, 1), Kind: "phase", Mark: view.Passed, Text: "Phase 1 done · 3 tasks, 1 retry · checked, reviewed", Seconds: 3550, USD: 2.14, Detail: []string{"1 suggestion left: store.go:40 expiry is never tested"}},
		{At: day(15, 1), Kind: "phase", Text: "Phase 2 of 3 · Rule engine · high complexity"},
		{At: day(15, 13), Kind: "decision", Mark: view.Passed, Text: "You approved the plan (in the browser, asked 15:04)", Seconds: 192, USD: 0.25},
	}
}
