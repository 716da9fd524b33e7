package cmd_test

import (
	"bytes"
	"encoding/base64"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
	if f.database("docs/spec.md") {
		f.Error("the server's database has the path of the spec, though there is a key")
	}
	f.decodes()
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
	if !f.database("docs/spec.md") {
		f.Error("without a key, the server's database lacks the path of the spec")
	}
	f.stopWorkers()
	f.fetch()
	f.check(false)
}

// decodes has Temporal's command line program show what is encrypted, with a codec server: the memo has the path of the spec.
func (f *fleet) decodes() {
	address := freeAddress(f.T)
	codec := f.program("codec", nil, filepath.Join(binaries, "autopilot-temporal"), "codec", "--listen", address)
	codec.start()
	defer codec.end(syscall.SIGINT)
	show := []string{"workflow", "show", "--address", f.address(), "--output", "json", "--workflow-id", f.hidden()}
	data := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	if shown := f.must(f.dir, f.cli, show...); strings.Contains(shown, data(`"docs/spec.md"`)) || !strings.Contains(shown, data("binary/encrypted")) {
		f.Errorf("without a codec server, Temporal's program shows %s", shown)
	}
	f.eventually("the codec server decodes the memo", time.Minute, func() bool {
		out, _, code := f.try(f.dir, f.cli, append(show, "--codec-endpoint", "http://"+address)...)
		return code == 0 && strings.Contains(out, data(`"docs/spec.md"`))
	})
}

// hidden is the id of the workflow where a key hides the session's name.
func (f *fleet) hidden() string {
	f.Helper()
	out, _ := f.person("status", spec)
	found := regexp.MustCompile(`On Temporal: (\S+)`).FindStringSubmatch(out)
	if found == nil {
		f.Fatalf("status shows no workflow: %s", out)
	}
	return found[1]
}

// database says whether the server's has a text.
func (f *fleet) database(text string) bool {
	files, _ := filepath.Glob(filepath.Join(f.dir, "server.db*"))
	return slices.ContainsFunc(files, func(name string) bool {
		data, err := os.ReadFile(name)
		return err == nil && bytes.Contains(data, []byte(text))
	})
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

// drains has the worker that runs an agent drain: another one goes on with what that left. Meanwhile people look at the session.
func (f *fleet) drains() {
	f.work.worker = []string{"--account", "work", "--account-slots", "1"}
	f.write("nap", "6")
	f.startWorkers(2)
	second := f.workers[0]
	f.eventually("the first one has the folder", time.Minute, func() bool {
		log, _ := os.ReadFile(filepath.Join(f.dir, second.name+".log"))
		return strings.Contains(string(log), "Working for")
	})
	if out, _, code := f.try(f.dir, second.argv[0], second.argv[1:]...); code != 6 {
		f.Errorf("a second worker in the same folder ends with %d: %s", code, out)
	}
	f.says(0, "Attributes:     registered", "doctor", "--setup")
	f.submit()
	f.says(0, "workers for it: 2", "doctor")
	f.says(6, f.workflow(), "submit", spec)
	f.until(func(s machine.State) bool { return len(s.InFlight) > 0 && s.CurrentState == machine.Execute })
	f.says(0, "Running    EXECUTE", "list")
	f.says(0, "Saved", "note", spec, "keep it short")
	f.says(0, "EXECUTE", "fetch", spec)
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
	f.checkHandedOver("task-001")
	if !slices.ContainsFunc(f.journal(), func(e machine.Event) bool { return e.Type == machine.Noted && e.Detail == "keep it short" }) {
		f.Error("the note isn't in the journal")
	}
}

// says has a person type a command, which ends with a code and says something.
func (f *fleet) says(code int, what string, args ...string) {
	f.Helper()
	if out, got := f.person(args...); got != code || !strings.Contains(out, what) {
		f.Errorf("%v ends with %d, and does not say %q: %s", args, got, what, out)
	}
}

// comesBack has a worker hang while its agent goes on, until another one has done the task: what the first one has is too late.
func (f *fleet) comesBack() {
	f.write("nap", "20")
	f.startWorkers(2)
	f.submit()
	f.until(func(s machine.State) bool { return len(s.InFlight) > 0 && s.CurrentState == machine.Execute })
	f.eventually("work in the middle of the act is saved", time.Minute, func() bool {
		works := strings.Fields(f.git("hub.git", "for-each-ref", "--format=%(objectname)", "refs/autopilot/spec/work/run"))
		return slices.ContainsFunc(works, func(work string) bool {
			_, _, none := f.try("hub.git", "git", "cat-file", "-e", work+":task-001.txt")
			return none == 0
		})
	})
	saved := time.Now().Add(time.Second)
	f.eventually("the server hears of it", time.Minute, func() bool {
		out, _, _ := f.try(f.dir, f.cli, "workflow", "describe", "--address", f.address(), "--workflow-id", f.workflow(), "--output", "json")
		beat := regexp.MustCompile(`"lastHeartbeatTime": "([^"]+)"`).FindStringSubmatch(out)
		if beat == nil {
			return false
		}
		at, err := time.Parse(time.RFC3339Nano, beat[1])
		return err == nil && at.After(saved)
	})
	busy := f.busy()
	busy.signal(syscall.SIGSTOP)
	f.until(committed(1))
	busy.signal(syscall.SIGCONT)
	f.eventually("the first worker learns that it is too late", time.Minute, func() bool {
		log, _ := os.ReadFile(filepath.Join(f.dir, busy.name+".log"))
		return strings.Contains(string(log), "already timed out")
	})
	f.untilDone()
	f.stopWorkers()
	f.fetch()
	f.check(false)
	f.checkHandedOver("task-001")
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

// isForgotten fetches a session from the hub alone. It needs a worker with a capability, and waits for one.
func (f *fleet) isForgotten() {
	f.work.submit = append([]string{"--capability", "gpu"}, f.work.submit...)
	f.startWorkers(1)
	f.submit()
	f.eventually("no worker has the capability", time.Minute, func() bool {
		out, _ := f.person("status", spec)
		return strings.Contains(out, "no worker for run@gpu@")
	})
	f.work.worker = []string{"--capability", "gpu"}
	f.startWorkers(1)
	f.untilDone()
	f.stopWorkers()
	cli, id := f.cli, f.workflow()
	f.must(f.dir, cli, "workflow", "delete", "--address", f.address(), "--workflow-id", id)
	f.eventually("the server forgets the session", time.Minute, func() bool {
		_, _, code := f.try(f.dir, cli, "workflow", "describe", "--address", f.address(), "--workflow-id", id)
		return code != 0
	})
	f.fetch()
	f.check(false)
}
