package cmd_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
)

// explained are the refs that a session at its end has on the hub.
var explained = regexp.MustCompile(`^refs/(heads/main|heads/autopilot/spec|autopilot/all[.]sessions/memory|autopilot/spec/(records|(snap|user|tasks|undone|parked)/.+|work/run/[0-9a-f]+))$`)

// check compares the end of a session with what its spec asks for, whatever happened on the way. One that ended in the person's clone is
// not on the hub to its end.
func (f *fleet) check(local bool) {
	f.Helper()
	if s := f.fetched(); s.CurrentState != machine.Done {
		f.Fatalf("fetched is %s", s.CurrentState)
	}
	for _, args := range [][]string{{"audit", spec}, {"why", spec}, {"log", spec}, {"report", spec, "--md"}} {
		if out, said, code := f.try("mine", filepath.Join(binaries, "autopilot"), args...); code != 0 || len(out) < 100 {
			f.Errorf("%s ends with %d\n%s%s", args[0], code, out, said)
		}
	}
	f.checkJournal()
	f.checkHistories()
	f.checkProcesses()
	f.checkSecrets()
	f.git("mine", "checkout", "--quiet", "autopilot/spec")
	if status := f.git("mine", "status", "--porcelain"); status != "" {
		f.Errorf("the branch isn't clean:\n%s", status)
	}
	f.checkCommits()
	if local {
		return
	}
	if here, hub := f.git("mine", "rev-parse", "autopilot/spec"), f.git("hub.git", "rev-parse", "autopilot/spec"); here != hub {
		f.Errorf("the branch is at %s on the hub, not at %s", hub, here)
	}
	for _, ref := range strings.Fields(f.git("hub.git", "for-each-ref", "--format=%(refname)")) {
		if !explained.MatchString(ref) {
			f.Errorf("left on the hub: %s", ref)
		}
	}
}

// checkHistories looks at how large the runs of the workflow got: half of what Temporal allows is the most. A server may have forgotten them.
func (f *fleet) checkHistories() {
	out, _, code := f.try(f.dir, f.cli, "workflow", "list", "--address", f.address(), "--output", "json")
	var runs []struct {
		HistoryLength    int `json:"historyLength,string"`
		HistorySizeBytes int `json:"historySizeBytes,string"`
	}
	if err := json.Unmarshal([]byte(out), &runs); code != 0 || err != nil {
		f.Logf("the server lists no runs: %d, %v", code, err)
	}
	for _, r := range runs {
		if f.Logf("a run has %d events, and %d bytes", r.HistoryLength, r.HistorySizeBytes); r.HistoryLength > 25_000 || r.HistorySizeBytes > 10<<20 {
			f.Errorf("a run has %d events, and %d bytes", r.HistoryLength, r.HistorySizeBytes)
		}
	}
}

// checkSecrets looks for what an agent printed, with its token or without.
func (f *fleet) checkSecrets() {
	if f.work.agent == "" {
		return
	}
	all := f.must("hub.git", "git", "cat-file", "--batch-all-objects", "--batch")
	if strings.Contains(all, token) || !strings.Contains(all, "the token is") {
		f.Errorf("the hub has the token: %v; what an agent printed: %v", strings.Contains(all, token), strings.Contains(all, "the token is"))
	}
}

// checkHandedOver looks for what two agents left of themselves in a task's file: the second one went on with the work of the first.
func (f *fleet) checkHandedOver(task string) {
	f.Helper()
	if n := strings.Count(f.git("mine", "show", "autopilot/spec:"+task+".txt"), "begun"); n != 2 {
		f.Errorf("%d agents left something of %s", n, task)
	}
}

// checkCommits looks for work that is there twice, or not at all.
func (f *fleet) checkCommits() {
	log := f.git("mine", "log", "--format=%s%x09%(trailers:key=Autopilot-Key,valueonly,separator=%x2c)", "main..autopilot/spec")
	seen := map[string]bool{}
	for line := range strings.SplitSeq(log, "\n") {
		subject, key, _ := strings.Cut(line, "\t")
		if key == "" && subject != "Plan: rank words" || key != "" && seen[key] {
			f.Errorf("commit %q has the key %q", subject, key)
		}
		seen[key] = true
	}
	if n := strings.Count(log, "\n") + 1; n != f.work.commits {
		f.Errorf("%d commits, not %d:\n%s", n, f.work.commits, log)
	}
}

// checkJournal looks for a question that was answered twice, for an agent that is blamed for what it didn't do, and for tasks at work
// beside each other where that was asked for.
func (f *fleet) checkJournal() {
	answered, lanes := map[string]int{}, 0
	for _, e := range f.journal() {
		if e.Answer != nil {
			answered[e.Answer.Gate]++
		}
		if e.Lane != nil {
			lanes++
		}
		for _, found := range e.Findings {
			if found.Severity == machine.Critical {
				f.Errorf("%s found: %s", e.Type, found.Title)
			}
		}
	}
	for gate, n := range answered {
		if n > 1 {
			f.Errorf("%s was answered %d times", gate, n)
		}
	}
	if slices.Contains(f.work.submit, "--parallel") && lanes == 0 {
		f.Error("no task was at work beside another")
	}
}

// journal is the session's, as it was fetched.
func (f *fleet) journal() (all []machine.Event) {
	f.Helper()
	text, err := os.ReadFile(filepath.Join(f.dir, "mine/.harness/sessions/spec", sessions.JournalName))
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n") {
		var e machine.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			f.Fatalf("%v in %s", err, line)
		}
		all = append(all, e)
	}
	return all
}

// dispatched is how many agents began with a task.
func (f *fleet) dispatched(task string) (n int) {
	for _, e := range f.journal() {
		if e.Dispatch != nil && e.Dispatch.Task == task {
			n++
		}
	}
	return n
}

// checkProcesses waits for the end of what workers started: a process is known by its environment, and by its folder.
func (f *fleet) checkProcesses() {
	f.Helper()
	var left []string
	for range 100 {
		if left = f.processes(); len(left) == 0 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	f.Errorf("processes are left:\n%s", strings.Join(left, "\n"))
}

// processes are those of the fleet, other than the server.
func (f *fleet) processes() (all []string) {
	found, _ := filepath.Glob("/proc/[0-9]*")
	server := strconv.Itoa(f.server.cmd.Process.Pid)
	for _, p := range found {
		environ, _ := os.ReadFile(filepath.Join(p, "environ"))
		cwd, _ := os.Readlink(filepath.Join(p, "cwd"))
		line, _ := os.ReadFile(filepath.Join(p, "cmdline"))
		words := strings.ReplaceAll(string(line), "\x00", " ")
		ours := slices.Contains(strings.Split(string(environ), "\x00"), "HOME="+f.dir) || strings.HasPrefix(cwd, f.dir)
		if ours && filepath.Base(p) != server {
			all = append(all, fmt.Sprintf("%s %s in %s", filepath.Base(p), words, cwd))
		}
	}
	return all
}
