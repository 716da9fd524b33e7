package flow

import (
	"path/filepath"
	"testing"
	"time"

	"pgregory.net/rapid"

	"autopilot/autopilot/machine"
)

// TestLanesGiveTheStateAndTheJournalOfOneMachine has tasks work beside each other, while workers are lost. Then one machine plays the
// same session through the package sessions: it makes each event anew, in the order in which the workers happened to record theirs, from
// its own state of the revision that they made theirs for; and it begins the lanes that the core says may begin. The files are the same,
// byte for byte.
func TestLanesGiveTheStateAndTheJournalOfOneMachine(t *testing.T) {
	var lost, together, late int
	rapid.Check(t, func(rt *rapid.T) {
		s := script{seed: rapid.Uint64().Draw(rt, "seed"), tasks: rapid.IntRange(2, 8).Draw(rt, "tasks"), bad: rapid.SampledFrom([]float64{0, 0.1}).Draw(rt, "bad"), parallel: rapid.IntRange(2, 8).Draw(rt, "lanes")}
		dir, loses := t.TempDir(), losses(s.seed)
		k := &worker{script: s, dir: filepath.Join(dir, "workflow"), lasts: time.Minute, made: map[int64]made{}}
		k.lost = func() bool {
			is := loses()
			if is {
				k.mu.Lock()
				defer k.mu.Unlock()
				lost++
			}
			return is
		}
		play(rt, k, Input{First: s.first()})
		one := &oneByOne{t: rt, script: s, made: k.made}
		onOneMachine(rt, s, filepath.Join(dir, "machine"), k.kept, one.next)
		same(rt, k, filepath.Join(dir, "machine"))
		if one.lanes == 0 && s.bad == 0 {
			rt.Fatal("no lane was at work")
		}
		together, late = max(together, one.together), late+one.late
	})
	if lost == 0 || together < 2 || late == 0 {
		t.Errorf("%d acts were lost, %d lanes were at work at once, and %d events were made for an earlier state", lost, together, late)
	}
}

// oneByOne plays a session with lanes on one machine, event by event.
type oneByOne struct {
	t      *rapid.T
	script script
	made   map[int64]made
	states []machine.State // by revision

	lanes, together, late int // lanes that began, the most at a time, and events that were made for an earlier state
}

// next is the event of the act whose turn it was, or the beginning of a lane.
func (o *oneByOne) next(st machine.State) machine.Event {
	for int64(len(o.states)) <= st.Revision {
		o.states = append(o.states, st)
	}
	m, acted := o.made[st.Revision+1]
	if !acted {
		return o.begin(st)
	}
	then := o.states[m.at]
	step := stepOf(then, m.task)
	if step.Name != m.step {
		o.t.Fatalf("at revision %d, %q is at %s; the workflow had it at %s", m.at, m.task, step.Name, m.step)
	}
	if m.at < st.Revision {
		o.late++
	}
	if then.Gate != nil {
		return then.AnswerEvent(o.script.answer(then.Revision, *then.Gate))
	}
	return o.script.event(then, step, m.task)
}

// begin begins the first lane that may begin, as the engine does.
func (o *oneByOne) begin(st machine.State) machine.Event {
	may := machine.Startable(st)
	if len(may) == 0 {
		o.t.Fatalf("nobody recorded event %d, and no lane may begin", st.Revision+1)
	}
	o.lanes++
	busy := 1
	for _, t := range st.Tasks {
		if t.Lane.Busy() {
			busy++
		}
	}
	o.together = max(o.together, busy)
	name := "autopilot/spec." + may[0]
	return machine.Event{Type: machine.TaskStarted, Task: may[0], Base: tip(st), Lane: &machine.Lane{Dir: ".harness/worktrees/spec.lanes/" + may[0], Branch: name}}
}

// TestALaneOfASpecWithASpaceHasNamesThatGitTakes: the engine removes a lane by these names.
func TestALaneOfASpecWithASpaceHasNamesThatGitTakes(t *testing.T) {
	w := &session{s: machine.State{SessionSlug: "my spec"}}
	if l := w.laneOf("task-001"); l.Branch != "autopilot/my-spec.task-001" || l.Dir != ".harness/worktrees/my-spec.lanes/task-001" {
		t.Errorf("the lane is %+v", l)
	}
}
