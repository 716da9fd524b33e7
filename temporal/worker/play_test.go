package worker

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/machine"
	"autopilot/sessions"
	"autopilot/sessions/atwork"
	"autopilot/temporal/flow"
)

// TestARetriedActLeavesTheNextStepToItsQueue: an attempt that was cut off had done the act, and the next one needs slots and an account.
func TestARetriedActLeavesTheNextStepToItsQueue(t *testing.T) {
	task := machine.Task{ID: "task-001", Status: machine.TaskRunning}
	at := func(step machine.StepName) machine.State {
		return machine.State{CurrentState: machine.Execute, Step: step, CurrentTask: task.ID, Tasks: []machine.Task{task}, Phases: []machine.Phase{{Number: "1"}}}
	}
	lane := func(step machine.StepName) machine.State {
		s := at(machine.StepPick)
		s.Tasks[0].Lane = &machine.Lane{Step: step}
		return s
	}
	for _, c := range []struct {
		act  machine.StepName
		task string
		s    machine.State
		want bool
	}{
		{machine.StepDispatch, "", at(machine.StepDispatch), false},
		{machine.StepPick, "", at(machine.StepDispatch), true},
		{machine.StepDispatch, "", at(machine.StepValidate), true},
		{machine.StepValidate, "", at(machine.StepCommit), true},
		{machine.StepDispatch, "", at(machine.StepReply), false}, // it goes on with its own agent
		{machine.StepReply, "", at(machine.StepDispatch), true},
		{machine.StepPick, "", at(machine.StepCommit), false}, // the same queue
		{machine.StepDispatch, "task-001", lane(machine.StepDispatch), false},
		{machine.StepDispatch, "task-001", lane(machine.StepValidate), true},
		{machine.StepValidate, "task-001", lane(machine.StepCommit), true}, // the lane is done
		{machine.StepValidate, "task-001", at(machine.StepValidate), true},
	} {
		d := &desk{act: flow.Act{Job: flow.Job{Repository: "shop"}, Step: c.act, Task: c.task}}
		if got := d.elsewhere(c.s); got != c.want {
			t.Errorf("an act for %s in %q, with the session at %s: %v", c.act, c.task, machine.Next(c.s).Name, got)
		}
	}
}

// TestAnAttemptThatFailsPassesOnWhatALostOneSaved, also as the last one of its act; an earlier act may have left it.
func TestAnAttemptThatFailsPassesOnWhatALostOneSaved(t *testing.T) {
	_, k, _ := newSession(t, learning)
	for name, c := range map[string]struct {
		beat Beat
		lost string
		want flow.Left
	}{
		"by a heartbeat": {beat: Beat{Left: flow.Left{Work: "half", Saves: 2}}, lost: "older", want: flow.Left{Work: "half", Saves: 2}},
		"by the act":     {lost: "half", want: flow.Left{Work: "half"}},
	} {
		var suite testsuite.WorkflowTestSuite
		suite.SetLogger(sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler)))
		env := suite.NewTestActivityEnvironment()
		env.RegisterActivity(k.Play)
		env.SetHeartbeatDetails(c.beat)
		_, err := env.ExecuteActivity(k.Play, flow.Act{Job: flow.Job{Repository: "another"}, Slug: "spec", Lost: c.lost})
		var got flow.Left
		if app, is := errors.AsType[*temporal.ApplicationError](err); !is || app.Details(&got) != nil || got != c.want {
			t.Errorf("%s: it passes on %+v, not %+v: %v", name, got, c.want, err)
		}
	}
}

// TestACommitIsMadeOnce, though each worker is lost right after the hub got it, and the next one has another clone.
func TestACommitIsMadeOnce(t *testing.T) {
	w, k, bare := newSession(t, learning)
	made, lost := map[string]bool{}, 0
	w.each = func() { k.Dir = t.TempDir() }
	w.loses = func(e machine.Event) bool {
		if e.Type != machine.EffectDone || made[e.Commit] {
			return false
		}
		made[e.Commit] = true
		lost++
		return true
	}
	w.runs(t, k)
	commits := strings.Fields(output(bare, "rev-list", "main..autopilot/spec"))
	if lost < 2 || len(commits) != len(made) {
		t.Errorf("%d workers were lost, and the branch has the commits %v, of %v that were made", lost, commits, made)
	}
	for _, commit := range commits {
		if !made[commit] {
			t.Errorf("the branch has %s, which nobody recorded", commit)
		}
	}
}

// TestTheEngineHasTheSettingsOfTheSession: each worker does its steps alike, whatever its own configuration says.
func TestTheEngineHasTheSettingsOfTheSession(t *testing.T) {
	d, _, _, _ := newDesk(t)
	d.worker.Host.Environ = []string{"HOME=" + t.TempDir(), "AUTOPILOT_PARALLEL=2", "AUTOPILOT_TIMEOUTS_IDLE=5m", "AUTOPILOT_TURNS=9"} // of the session, or of nobody
	d.act.Spec, d.act.Job.Settings = "docs/spec.md", map[string]any{"parallel": "4", "timeouts.idle": "7m"}
	d.act.Job.Limits = &budget.Limits{Session: budget.Bounds{Tokens: 7}}
	e, err := d.worker.engine(t.Context(), d, atwork.New(time.Now))
	if err != nil {
		t.Fatal(err)
	}
	if e.Settings.Limits != *d.act.Job.Limits {
		t.Errorf("it may spend %+v", e.Settings.Limits)
	}
	if s := e.Settings; s.Parallel != 4 || s.Idle != 7*time.Minute || s.Turns != 200 {
		t.Errorf("it has %d tasks at work, stops a silent agent after %v, and gives it %d turns", s.Parallel, s.Idle, s.Turns)
	}
}

// TestACloneIsMadeReadyForALaneWithoutAWordAboutTheRunsTree: another clone may have that tree, with a check at hand. A note of what is
// untracked in this one hides the files of the task that the check is for.
func TestACloneIsMadeReadyForALaneWithoutAWordAboutTheRunsTree(t *testing.T) {
	d, s, _, head := newDesk(t)
	st := d.session.State()
	st.CurrentState, st.Step, st.CurrentTask, st.Branch, st.Runs, st.Parallel = machine.Execute, machine.StepValidate, "task-001", "main", 1, 2
	st.Tasks = []machine.Task{
		{ID: "task-001", Status: machine.TaskRunning, Base: head, Dispatches: 1},
		{ID: "task-002", Status: machine.TaskRunning, Base: head, Lane: &machine.Lane{Dir: ".harness/worktrees/spec.lanes/task-002", Branch: "autopilot/spec.task-002", Base: head, Step: machine.StepDispatch}},
	}
	d.session = begun(t, st)
	d.act.Spec, d.act.Task = "docs/spec.md", "task-002"
	put(t, d.clone.Dir, ".harness/init.sh", "touch ready\n")
	var notes []string
	s.takes = func(o client.UpdateWorkflowOptions) error {
		if r, is := o.Args[0].(flow.Record); is {
			for _, n := range r.Event.Snapshots {
				notes = append(notes, n.Of)
			}
		}
		return nil
	}
	e, err := d.worker.engine(t.Context(), d, atwork.New(time.Now))
	if err != nil {
		t.Fatal(err)
	}
	err = e.Step(t.Context(), "task-002") // no backend plays the executor
	if _, made := os.Stat(filepath.Join(d.clone.Dir, "ready")); made != nil || slices.ContainsFunc(notes, func(of string) bool { return strings.HasPrefix(of, "check") }) {
		t.Errorf("the clone is ready: %v; noted is %q; the step ends with %v", made, notes, err)
	}
}

// begun is a session in a folder of its own that is in some state.
func begun(t *testing.T, st machine.State) *sessions.Session {
	t.Helper()
	se, err := sessions.Create(filepath.Join(t.TempDir(), "spec"), machine.Event{Type: machine.Created, Initial: &st}, sessions.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = se.Close() })
	return se
}
