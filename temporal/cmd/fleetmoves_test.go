package cmd_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
)

// moves begins a session in a clone, has workers go on with it, and ends it in the clone. Each time tasks are at work beside each other.
func (f *fleet) moves() {
	program := filepath.Join(binaries, "autopilot")
	here := func(want int, args ...string) {
		f.Helper()
		if out, said, code := f.try("mine", program, args...); code != want {
			f.Fatalf("autopilot %v ends with %d\n%s%s", args, code, out, said)
		}
	}
	here(3, spec, "--fast", "--review-plans", "--yes", "--non-interactive", "--trust")
	here(0, "answer", spec, "approve")
	run := f.program("here", nil, program, filepath.Join(f.dir, "mine", spec), "--yes", "--non-interactive", "--parallel", "3")
	run.start()
	f.eventually("two lanes are at work here", time.Minute, func() bool { return f.flying() > 1 })
	run.end(syscall.SIGINT)
	before := len(f.journal())
	f.work.submit = []string{"--from-session", "--parallel", "3"}
	f.startWorkers(2)
	f.submit()
	f.until(func(s machine.State) bool { return inFlight(s) > 1 })
	if out, code := f.person("stop", spec); code != 0 {
		f.Fatal(out)
	}
	f.untilEnded()
	f.stopWorkers()
	if out, code := f.person("status", spec); code != 0 || !strings.Contains(out, "stopped before its end: a person stopped it") {
		f.Errorf("status without a worker ends with %d: %s", code, out)
	}
	f.write("mine/notes.txt", "a person's\n")
	f.fetch()
	if !f.fetched().LanesOpen() {
		f.Error("the session stopped without an open lane")
	}
	here(0, spec, "--yes", "--non-interactive", "--parallel", "3")
	if got := f.git("mine", "status", "--porcelain"); got != "?? notes.txt" {
		f.Errorf("of a person's file git says %q", got)
	}
	f.must("mine", "rm", "notes.txt")
	f.check(true)
	agents := map[string]int{}
	for _, e := range f.journal()[before:] {
		if e.Dispatch != nil {
			agents[e.Dispatch.Task]++
		}
	}
	for task, n := range agents {
		if n > 1 && task != "" {
			f.Errorf("%s had %d agents after it moved: what one did was lost", task, n)
		}
	}
}

// isRaised has lanes use up a budget, which they keep, and the session go on with a larger one. There, a person stops it at once.
func (f *fleet) isRaised() {
	f.startWorkers(2)
	f.submit()
	f.until(func(s machine.State) bool { return s.Usage.Dispatches == 4 })
	f.untilEnded()
	f.says(0, "stopped before its end: the budget of 4 dispatches is used up; --max-dispatches raises it", "status", spec)
	f.git("mine", "fetch", "--quiet", "origin")
	f.git("mine", "switch", "--quiet", "autopilot/spec")
	f.fetch()
	if n := f.fetched().Usage.Dispatches; n != 4 {
		f.Errorf("%d agents began", n)
	}
	f.work.submit = []string{"--from-session", "--parallel", "3", "--max-dispatches", "40"}
	f.submit()
	f.until(func(s machine.State) bool { return inFlight(s) > 0 })
	f.says(0, "Stopping.", "stop", spec, "--now")
	f.untilEnded()
	f.fetch()
	if !f.fetched().LanesOpen() {
		f.Error("the session stopped without an open lane")
	}
	f.submit()
	f.untilDone()
	f.stopWorkers()
	f.fetch()
	f.check(false)
}

// fetched is the session as the person's clone has it.
func (f *fleet) fetched() machine.State {
	f.Helper()
	s, _, err := sessions.Read(filepath.Join(f.dir, "mine/.harness/sessions/spec"), sessions.Options{Now: time.Now})
	if err != nil {
		f.Fatal(err)
	}
	return s
}

// flying is how many lanes have an agent at work in the person's clone.
func (f *fleet) flying() int { return inFlight(f.fetched()) }

// inFlight is how many lanes have an agent at work.
func inFlight(s machine.State) (n int) {
	for _, t := range s.Tasks {
		if t.Lane != nil && t.Lane.Flight != nil {
			n++
		}
	}
	return n
}
