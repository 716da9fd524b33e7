//go:build crash && linux

package cmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/sessions/taskfile"
)

// resumed is a run that takes up what a kill left in the middle of a dispatch, and goes on to the end.
func resumed() scene {
	s := onePhase()
	const execute = 2
	place := func(t *testing.T, program string) *place {
		l := &life{place: newStoryPlace(t, "resume", "crash.txtar"), scene: s, program: program}
		for _, step := range s.steps[:execute] {
			if code, said := l.exec(t, program, step.args...); code != step.code {
				t.Fatalf("%s: exit code %d: %s", step.name, code, said)
			}
		}
		l.fresh = make([]string, execute+1)
		l.fresh[execute] = filepath.Join(l.dir, "approved")
		copyTree(t, l.repo, l.fresh[execute])
		for nth := 5; ; nth++ {
			l.begin(t, execute)
			if _, code, said := l.strace(t, s.steps[execute].args, inject(call{name: "pwrite64", nth: nth}, "signal=KILL")...); code != killed {
				t.Fatalf("it cannot be killed in a dispatch: exit code %d: %s", code, said)
			}
			if len(l.state(t).InFlight) > 0 {
				break
			}
		}
		return l.place
	}
	return scene{name: "a resume", place: place, once: true, first: true, steps: s.steps[execute:]}
}

// claimed is what a claim leaves behind: the task file without its times, and the names of the files. The log may lack
// the line of a claim that was killed, and the next run clears away what is under .git/autopilot.
type claimed struct {
	Tasks []taskfile.ListedTask
	Files []string
	Twice bool
}

// claim takes a task of a list to do it by hand.
func claim() scene {
	const id = "task-001"
	return scene{
		name: "tasks claim", once: true, first: true,
		place: func(t *testing.T, _ string) *place { return taskPlaceOf(t, taskfile.Concurrent, 2) },
		steps: []step{{
			name: "claim", args: []string{"tasks", "claim", id, "--worker", "alice"},
			done: func(t *testing.T, p *place) bool {
				list := p.tasks(t)
				return list.Find(id).Status == machine.TaskRunning
			},
		}, {name: "status", args: []string{"tasks", "status"}}},
		end: func(t *testing.T, p *place) any { return p.claimed(t) },
	}
}

func (p *place) claimed(t *testing.T) claimed {
	t.Helper()
	c := claimed{Tasks: p.tasks(t).Tasks}
	for i := range c.Tasks {
		c.Tasks[i].ClaimedAt, c.Tasks[i].LeaseExpiresAt = nil, nil
	}
	log, err := os.ReadFile(filepath.Join(p.repo, "harness-progress.txt"))
	c.Twice = err == nil && strings.Count(string(log), " Starting ") > 1
	for _, dir := range []string{p.repo, filepath.Join(p.dir, "tmp")} {
		walk(t, dir, func(name string) {
			if !strings.HasPrefix(name, ".git/objects/") && !strings.HasPrefix(name, ".git/autopilot/.autopilot-") &&
				!strings.HasSuffix(name, ".guard") && name != "harness-progress.txt" {
				c.Files = append(c.Files, name)
			}
		})
	}
	return c
}

// wave is a run with two tasks at a time. Its lanes run on other threads: what is hit is the loop that brings their work
// together, and the store.
func wave() scene {
	return scene{
		name: "a wave of two", once: true, place: placeOf("crashwave.txtar"),
		steps: []step{{name: "run", args: []string{"docs/spec.md", "--yes", "--non-interactive"}}},
		end:   func(t *testing.T, p *place) any { return p.waveEnd(t) },
	}
}
