package cmd_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"autopilot/autopilot/machine"
)

// meetsOutages has an outage begin as a person answers, and others in the middle of the work. What Temporal has is encrypted, and the
// hub is reached by HTTP, with a password.
func (f *fleet) meetsOutages() {
	f.write("fleet.keys", "one "+base64.StdEncoding.EncodeToString(make([]byte, 32)))
	f.env = append([]string{"TEMPORAL_AUTOPILOT_KEYS=" + filepath.Join(f.dir, "fleet.keys")}, f.env...)
	f.wire = f.newWire()
	f.serveHub()
	f.startWorkers(3)
	f.asked = func(f *fleet) { f.hubSilent(); f.asked = nil }
	f.submit()
	f.until(committed(1))
	f.wireCut()
	f.until(committed(2))
	f.hubRefuses()
	f.untilDone()
	f.stopWorkers()
	f.fetch()
	f.check(false)
	if n := f.dispatched("task-003"); n != 1 { // its end waits for the hub
		f.Errorf("task-003 had %d agents", n)
	}
}

// answersInOutages has an outage begin as a person answers, another one each time: each answer counts.
func (f *fleet) answersInOutages() {
	f.wire = f.newWire()
	f.startWorkers(3)
	outages := []func(*fleet){(*fleet).hubAway, (*fleet).wireCut, (*fleet).hubRefuses}
	met := 0
	f.asked = func(f *fleet) { outages[met](f); met++ }
	f.revises = 2
	f.submit()
	f.untilDone()
	if met != 3 {
		f.Errorf("%d questions were asked", met)
	}
	f.stopWorkers()
	f.fetch()
	f.check(false)
}

// committed says whether so many tasks are.
func committed(n int) func(machine.State) bool {
	return func(s machine.State) bool {
		for _, t := range s.Tasks {
			if t.Commit != "" {
				n--
			}
		}
		return n <= 0
	}
}

// drains has the worker that runs an agent drain: another one goes on.
func (f *fleet) drains() {
	f.work.worker = []string{"--account", "work", "--account-slots", "1"}
	f.startWorkers(2)
	second := f.workers[0]
	f.eventually("the first one has the folder", time.Minute, func() bool {
		log, _ := os.ReadFile(filepath.Join(f.dir, second.name+".log"))
		return strings.Contains(string(log), "Working for")
	})
	if out, _, code := f.try(f.dir, second.argv[0], second.argv[1:]...); code != 6 {
		f.Errorf("a second worker in the same folder ends with %d: %s", code, out)
	}
	f.submit()
	if out, code := f.person("doctor"); code != 0 || !strings.Contains(out, "workers for it: 2") {
		f.Errorf("doctor ends with %d: %s", code, out)
	}
	if out, code := f.person("submit", spec); code != 6 || !strings.Contains(out, f.workflow()) {
		f.Errorf("a second submit ends with %d: %s", code, out)
	}
	f.until(func(s machine.State) bool { return len(s.InFlight) > 0 && s.CurrentState == machine.Execute })
	busy := f.busy()
	began := time.Now()
	if code := busy.end(syscall.SIGTERM); code != 0 {
		f.Errorf("the worker ends with %d", code)
	}
	if took := time.Since(began); took > 10*time.Second {
		f.Errorf("the worker ends after %v", took)
	}
	f.untilDone()
	f.stopWorkers()
	f.record()
	f.fetch()
	f.check(false)
}

// busy is the worker that runs an agent: its process is the one that status names.
func (f *fleet) busy() *program {
	f.Helper()
	out, _ := f.person("status", spec)
	if found := regexp.MustCompile(`at work for .* on (\d+)@`).FindStringSubmatch(out); found != nil {
		for _, w := range f.workers {
			if strconv.Itoa(w.cmd.Process.Pid) == found[1] {
				return w
			}
		}
	}
	f.Fatalf("no worker is at work: %s", out)
	return nil
}

// isForgotten fetches a session from the hub alone.
func (f *fleet) isForgotten() {
	f.startWorkers(1)
	f.submit()
	f.untilDone()
	f.stopWorkers()
	cli, id := f.server.argv[0], f.workflow()
	f.must(f.dir, cli, "workflow", "delete", "--address", f.address(), "--workflow-id", id)
	f.eventually("the server forgets the session", time.Minute, func() bool {
		_, _, code := f.try(f.dir, cli, "workflow", "describe", "--address", f.address(), "--workflow-id", id)
		return code != 0
	})
	f.fetch()
	f.check(false)
}
