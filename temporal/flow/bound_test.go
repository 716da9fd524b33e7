package flow

import (
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"autopilot/autopilot/machine"
)

const (
	perUpdate = 5      // events of a history that an update makes: its own two, and those of the task that takes it
	most      = 25_000 // half of what the server allows
	allowed   = 2_000  // updates of a run, by the server
)

// callsOfADay are those of an agent by its task: 144 records are what one makes that works for 24 hours.
func callsOfADay(task string) []machine.Usage {
	if task == "" {
		return nil
	}
	lengths := []int{5, 144, 20, 5, 144, 20, 144, 5}
	return slices.Repeat([]machine.Usage{{InputTokens: 1}}, lengths[int(task[len(task)-1])%8])
}

// TestALongHistoryIsLeftBeforeItsEnd has eight lanes at work, some with the calls of 24 hours to go, when the history gets
// too long: no lane is begun any more, those at work end, and what that adds stays far below what the server allows.
func TestALongHistoryIsLeftBeforeItsEnd(t *testing.T) {
	reached := 0
	for seed := range uint64(5) {
		s := script{seed: seed, tasks: 20, parallel: 8}
		k := &worker{script: s, dir: filepath.Join(t.TempDir(), "workflow")}
		var mu sync.Mutex
		flying, late, after, begun := map[string]bool{}, false, 0, 0
		k.calls = callsOfADay
		k.told = func(task string, e machine.EventType) {
			mu.Lock()
			defer mu.Unlock()
			switch {
			case late && e == "":
				begun++
			case late:
				after++
			case task != "" && e == machine.Dispatched:
				flying[task] = true
			case task != "" && e != machine.Used:
				delete(flying, task)
			case task != "" && len(flying) > 2:
				k.env.RegisterDelayedCallback(func() {
					mu.Lock()
					defer mu.Unlock()
					late = true
					k.env.SetCurrentHistoryLength(longest + 1)
				}, 0)
			}
		}
		in := Input{First: s.first()}
		for !late {
			err := once(t, k, in)
			if err == nil {
				break // on a busy machine, its lanes were never at work at the same time
			}
			in = following(t, err)
		}
		if !late {
			continue
		}
		reached++
		if begun > 8 { // one of each lane was under way
			t.Errorf("%d steps were begun in a history that is too long", begun)
		}
		if mostUpdates+after > allowed {
			t.Errorf("%d updates came after the history was too long", after)
		}
		if length := longest + perUpdate*after; length > most {
			t.Errorf("the history would have %d events", length)
		}
		for _, task := range in.State.Tasks {
			if task.Lane.Busy() && task.Lane.Flight != nil {
				t.Errorf("%s is still at work", task.ID)
			}
		}
	}
	if reached == 0 {
		t.Error("no history got too long while lanes were at work")
	}
}
