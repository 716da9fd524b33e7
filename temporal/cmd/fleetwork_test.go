package cmd_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/examples"
	"autopilot/temporal/hub"
)

const spec = "docs/spec.md"

func (f *fleet) startWorkers(n int) {
	for range n {
		name := "w" + strconv.Itoa(len(f.workers)+1)
		argv := append([]string{filepath.Join(binaries, "autopilot-temporal"), "worker", "--repository", f.hub, "--dir", name, "--slots", "2", "--drain", "1s", "--save-every", "1s"}, f.work.worker...)
		var env []string
		if f.wire != nil {
			env = f.wire.env
		}
		w := f.program(name, env, argv...)
		f.workers = append(f.workers, w)
		w.start()
	}
}

// stopWorkers has all workers that are there drain.
func (f *fleet) stopWorkers() {
	for _, w := range f.workers {
		if code := w.end(syscall.SIGTERM); code != 0 && code != gone {
			f.Errorf("%s ends with %d after SIGTERM", w.name, code)
		}
	}
}

func (f *fleet) submit() {
	f.Helper()
	if out, code := f.person(append([]string{"submit", spec, "--yes", "--trust"}, f.work.submit...)...); code != 0 {
		f.Fatalf("submit ends with %d: %s", code, out)
	}
}

// workflow is the id of the session's.
func (f *fleet) workflow() string { return "autopilot/" + hub.RepositoryID(f.hub) + "/spec" }

// state asks for the session's state. It is false while nobody answers.
func (f *fleet) state() (s machine.State, ok bool) {
	out, _, code := f.try("mine", filepath.Join(binaries, "autopilot-temporal"), "status", spec, "--json")
	return s, code == 0 && json.Unmarshal([]byte(out), &s) == nil
}

// untilDone answers what the session asks, until it is at its end.
func (f *fleet) untilDone() {
	f.Helper()
	f.until(func(s machine.State) bool { return s.CurrentState == machine.Done })
	f.untilEnded()
}

// untilEnded waits until the hub has everything.
func (f *fleet) untilEnded() {
	f.Helper()
	f.eventually("the workflow ends", stuckAfter, func() bool {
		out, code := f.person("list", "--json")
		return code == 0 && strings.Contains(out, `"Completed"`) && !strings.Contains(out, `"Running"`)
	})
}

// until answers what the session asks until it is somewhere.
func (f *fleet) until(there func(machine.State) bool) {
	f.Helper()
	var last machine.State
	moved := time.Now()
	for {
		s, ok := f.state()
		if ok && there(s) {
			return
		}
		if ok && s.Revision != last.Revision {
			last, moved = s, time.Now()
		}
		if ok && s.Gate != nil {
			f.answer(*s.Gate)
		}
		if time.Since(moved) > stuckAfter {
			out, _ := f.person("status", spec)
			f.Fatalf("nothing happened for %v in %s at %s\n%s", stuckAfter, last.CurrentState, last.Step, out)
		}
		time.Sleep(time.Second) // each look is a process
	}
}

// stuckAfter is longer than any pause of a session that goes on: a worker that is lost, a server that comes back, and retries.
const stuckAfter = 2 * time.Minute

// answer answers a question; a wrong answer first.
func (f *fleet) answer(g machine.Gate) {
	f.Helper()
	right := ""
	switch {
	case g.Kind == machine.GateApprovePlan:
		right = "approve"
	case g.Kind == machine.GatePlanWanted && f.pushPlan():
		right = "done"
	default:
		return // the hub isn't there now, or a worker answers it because of --yes
	}
	if out, code := f.person("answer", spec, "nonsense", "--gate", g.ID); code == 0 {
		f.Fatalf("a wrong answer is accepted: %s", out)
	}
	first := f.gate != g.ID
	if f.gate = g.ID; first && f.asked != nil {
		f.asked(f)
	}
	if first && right == "approve" {
		f.revises--
	}
	if f.revises >= 0 && right == "approve" {
		right = "revise"
	}
	out, code := f.person("answer", spec, right, "--gate", g.ID, "--reason", "because")
	found := right == "done" && strings.Contains(out, "no open question") // a worker that looked found the plan
	if code != 0 && code != 4 && !found && f.mishaps == 0 {               // 4: nobody was there, and the question may still be open
		f.Errorf("the answer ends with %d: %s", code, out)
	}
}

// pushPlan gives the hub a person's plan.
func (f *fleet) pushPlan() bool {
	if _, _, code := f.try("planner", "git", "fetch", "--quiet", "origin"); code != 0 {
		return false
	}
	f.git("planner", "checkout", "--quiet", "-B", "autopilot/spec", "origin/autopilot/spec")
	f.write(filepath.Join("planner", examples.Plan), string(examples.Tally()[examples.Plan]))
	f.git("planner", "add", "--all")
	f.try("planner", "git", "commit", "--quiet", "-m", "Plan: rank words")
	_, _, code := f.try("planner", "git", "push", "--quiet", "origin", "autopilot/spec")
	return code == 0
}

// fetch gets the session into the person's clone.
func (f *fleet) fetch() {
	f.Helper()
	if out, code := f.person("fetch", spec); code != 0 {
		f.Fatalf("fetch ends with %d: %s", code, out)
	}
}

// tidy ends what is still there, and shows what it said if the test failed.
func (f *fleet) tidy() {
	for _, p := range append([]*program{f.server}, f.workers...) {
		p.end(syscall.SIGKILL)
		if log, err := os.ReadFile(filepath.Join(f.dir, p.name+".log")); err == nil && f.Failed() {
			f.Logf("%s said:\n%s", p.name, log[max(0, len(log)-6000):])
		}
	}
	if kept := os.Getenv("FLEET_KEEP"); kept != "" && f.Failed() {
		f.Log(errors.Join(os.CopyFS(filepath.Join(kept, filepath.Base(f.dir)), os.DirFS(f.dir))))
	}
}
