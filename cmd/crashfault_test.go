//go:build crash && linux

package cmd_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"autopilot/autopilot/closing"
)

// fault is what a call fails with, and the words for it.
type fault struct{ name, words string }

var (
	ioError  = fault{"EIO", "input/output error"}
	diskFull = fault{"ENOSPC", "no space left on device"}
	noRight  = fault{"EACCES", "permission denied"}
)

// faults are what a call can fail with: a disk has no room only for what is written, and what closes a file was allowed to.
func (c call) faults() []fault {
	switch {
	case c.name == "close":
		return []fault{ioError}
	case c.opens():
		return []fault{diskFull, noRight}
	case c.name == "openat":
		return []fault{ioError, noRight}
	}
	return []fault{ioError, diskFull, noRight}
}

// mayFail says whether a call is one to fail: what changes something, makes or opens a file to write it, closes such a
// file, or reads what the program itself keeps.
func (l *life) mayFail(c call) bool {
	switch {
	case c.failed || !l.ours(c):
		return false
	case c.name == "openat" && !c.opens():
		return l.keeps(c.paths[0])
	}
	return c.changes() || c.opens() || c.written && !otherName.MatchString(c.paths[0])
}

// otherName is that of a file that has another one in each run.
var otherName = regexp.MustCompile(`/\.git/autopilot/[.a-z]+-[0-9]+$`)

// keeps says whether a file is one that the program itself keeps.
func (l *life) keeps(path string) bool {
	rel, err := filepath.Rel(l.repo, path)
	return err == nil && (strings.HasPrefix(rel, ".harness/") || strings.HasPrefix(rel, ".git/autopilot") || rel == "harness-tasks.json")
}

// ours says whether a call is the program's own: what the agent's tools cannot do, it has to see to itself.
func (l *life) ours(c call) bool {
	if len(c.paths) > 0 && strings.Contains(c.paths[0], "project_profile.json") {
		return false // a run does without it, and says so
	}
	roadmap := filepath.Join(l.repo, closing.RoadmapPath)
	own := []string{
		filepath.Join(l.repo, ".harness") + "/", filepath.Join(l.repo, ".git") + "/",
		filepath.Join(l.repo, "harness-"), "/tmp/harness-", // a task file with what stands beside it, and its lock
		roadmap, // and the file that takes its place
	}
	return c.child() || len(c.paths) > 0 && slices.ContainsFunc(own, func(start string) bool {
		path := c.paths[len(c.paths)-1]
		return strings.HasPrefix(path, start) || path == filepath.Dir(roadmap)
	})
}

// byFile has strace let this call fail, counted among those that are about the same file: the runtime makes some calls of
// its own, and how many others there are depends on what else runs on the machine.
func (c call) byFile(f fault) []string {
	return []string{"-P", c.paths[len(c.paths)-1], "-e", fmt.Sprintf("inject=%s:error=%s:when=%d", c.name, f.name, c.ofFile)}
}

// byNumber is the same where a file has another name in each run: counted among all calls of that name.
func (c call) byNumber(f fault) []string { return inject(c, "error="+f.name) }

// aims is how often a call is aimed at.
const aims = 6

// inject runs a step with one call of it failing. Where the call is not met, the run that missed it shows where it is.
// A close that strace lets fail closes nothing, so that a wrong one could have the program wait for ever.
func (l *life) inject(t *testing.T, p failurePoint) (calls []call, f failure, said string) {
	t.Helper()
	for try := range aims {
		aim := p.at.byNumber(p.fault)
		if try == 0 && len(p.at.paths) > 0 {
			aim = p.at.byFile(p.fault)
		} else if p.at.name == "close" {
			break
		}
		l.begin(t, p.step)
		calls, f.code, said = l.strace(t, l.steps[p.step].args, append(aim, withoutData...)...)
		if f.met = slices.ContainsFunc(calls, func(c call) bool { return c.injected && l.same(c, p.at) }); f.met {
			break
		}
		if aim[0] != "-P" {
			p.at.nth = l.numberIn(calls, p)
		}
	}
	return calls, f, said
}

// same says whether two calls do the same to the same kind of file.
func (l *life) same(a, b call) bool {
	return a.site(l.dir) == b.site(l.dir) && a.thread() == b.thread()
}

// numberIn is the number of a call in another run. Where that did not come to it, it is told by what changes the number:
// how many processes the program looks at.
func (l *life) numberIn(calls []call, p failurePoint) int {
	alike, processes := 0, 0
	for _, c := range calls {
		if c.name == p.at.name && c.ofProcess() {
			processes++
		}
		if l.same(c, p.at) {
			if alike++; alike == p.alike {
				return c.nth
			}
		}
	}
	return p.steady + processes
}

// relied says whether the journal was written again after a sync of it that failed.
func relied(calls []call) string {
	lost := false
	for _, c := range calls {
		journal := len(c.paths) > 0 && filepath.Base(c.paths[0]) == "events.jsonl"
		switch {
		case journal && c.name == "fsync" && c.failed:
			lost = true
		case journal && lost && (c.name == "pwrite64" || c.name == "fsync"):
			return fmt.Sprintf("after a failed sync of the journal there is a %s of it", c.name)
		}
	}
	return ""
}
