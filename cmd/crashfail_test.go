//go:build crash && linux

package cmd_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"autopilot/autopilot"
)

// faults are what a call fails with, and the words for it.
var faults = []struct{ name, words string }{
	{"EIO", "input/output error"}, {"ENOSPC", "no space left on device"}, {"EACCES", "permission denied"},
}

// failing lets calls fail, each kind once in each command with each fault: the program ends in a documented way and says
// why, or does without; the next run comes to the same end.
func (s scene) failing(t *testing.T, program string, shard int) {
	l := s.live(t, program, "")
	seen := map[string]bool{}
	tried, ended, missed, roadmap := 0, 0, 0, false
	for i, step := range s.steps {
		if s.first && i > 0 {
			break
		}
		l.begin(t, i)
		calls, _, _ := l.strace(t, step.args)
		for n, at := range l.points(calls, true) {
			site, kind := at.site(l.dir), step.args[0]+" "+at.site(l.dir)
			if seen[kind] || !l.ours(at) {
				continue
			}
			seen[kind] = true
			if n%shards != shard || (len(seen)/shards+int(*seed))%*every != 0 {
				continue
			}
			for _, fault := range faults {
				code, met, complaint := l.fail(t, i, at, fault.name, fault.words)
				if !met {
					missed++
					continue
				}
				roadmap = roadmap || strings.Contains(site, autopilot.RoadmapPath)
				if complaint != "" {
					t.Errorf("%s, %s, %s at %s number %d (%s), exit code %d: %s", s.name, step.name, fault.name, at.name, at.nth, site, code, complaint)
				}
				if tried++; code != step.code {
					ended++
				}
			}
		}
	}
	t.Logf("%s: %d calls failed, %d of them ended the run otherwise; %d were not met", s.name, tried, ended, missed)
	if tried < missed {
		t.Errorf("%s: most faults were not met", s.name)
	}
	// Its calls follow each other, so each part has some.
	if s.roadmap && !roadmap && *every == 1 {
		t.Errorf("%s: no call on %s failed", s.name, autopilot.RoadmapPath)
	}
}

// ours says whether a call is the program's own: what the agent's tools cannot do, it has to see to itself.
func (l *life) ours(c call) bool {
	if len(c.paths) > 0 && strings.Contains(c.paths[0], "project_profile.json") {
		return false // a run does without it, and says so
	}
	roadmap := filepath.Join(l.repo, autopilot.RoadmapPath)
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

// fail lets one call of a step fail, and resumes. It is not met where the call's file has another name in each run.
func (l *life) fail(t *testing.T, i int, at call, fault, words string) (code int, met bool, complaint string) {
	t.Helper()
	l.begin(t, i)
	calls, code, said := l.strace(t, l.steps[i].args, append(at.aim(fault), withoutData...)...)
	if met = slices.ContainsFunc(calls, func(c call) bool { return c.injected }); !met {
		return code, false, ""
	}
	switch {
	case !slices.Contains([]int{0, 1, 2, 3, 4, 5, 7}, code), strings.Contains(said, "goroutine "):
		return code, true, "it does not end as it should: " + said
	case code != l.steps[i].code && !strings.Contains(strings.ToLower(said), words):
		return code, true, fmt.Sprintf("it does not say %q: %s", words, said)
	}
	if line := relied(calls); line != "" {
		return code, true, line
	}
	if asks := l.asks(); asks != "" && asks != l.want[i].Gate {
		// What could not be checked or done is a person's to decide on, and the fault is what the question tells.
		if !strings.Contains(strings.ToLower(said), words) {
			return code, true, fmt.Sprintf("it asks %s, and does not say %q: %s", asks, words, said)
		}
		return code, true, ""
	}
	return code, true, l.resume(t, i, min(i+1, len(l.steps)-1))
}

// aim has strace let this call fail. Calls are counted for one file, since the runtime makes some of its own.
func (c call) aim(fault string) []string {
	if len(c.paths) == 0 {
		return inject(c, "error="+fault)
	}
	return []string{"-P", c.paths[len(c.paths)-1], "-e", fmt.Sprintf("inject=%s:error=%s:when=%d", c.name, fault, c.ofFile)}
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
