package flow

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/machine/transition"
)

// compacting has every input be too large as long as a text in it can be replaced.
func compacting(t *testing.T) {
	was := measure
	t.Cleanup(func() { measure = was })
	measure = func(in Input) int {
		if reflect.DeepEqual(in.State, compact(in.State)) {
			return 0
		}
		return largest + 1
	}
}

// TestASessionWithoutItsLongTextsIsThatOfOneMachine has each run replace all texts that it may. The journal is that of one machine,
// byte for byte, and every run begins with its state, but for hashes of texts that the hub has whole.
func TestASessionWithoutItsLongTextsIsThatOfOneMachine(t *testing.T) {
	compacting(t)
	ofTasks, ofPhases := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		s := script{
			seed: rapid.Uint64().Draw(rt, "seed"), tasks: rapid.IntRange(1, 3).Draw(rt, "tasks"), bad: rapid.SampledFrom([]float64{0.1, 0.2}).Draw(rt, "bad"),
			phases: 2, long: true,
		}
		next := s.next
		k := &worker{script: s, dir: filepath.Join(t.TempDir(), "workflow"), lasts: time.Minute, lost: losses(s.seed)}
		if rapid.Bool().Draw(rt, "lanes") {
			s.parallel, k.script.parallel, k.made = 3, 3, map[int64]made{}
			next = (&oneByOne{t: rt, script: s, made: k.made}).next
		}
		in := Input{First: s.first()}
		for err := once(rt, k, in); err != nil; err = once(rt, k, in) {
			in = following(rt, err)
			hub := k.hub
			hub.StateCRC = "" // of the file
			restored(rt, in.State, hub)
			ofTasks, ofPhases = ofTasks+hashes(rt, in.State.Tasks), ofPhases+hashes(rt, in.State.Phases)
		}
		value, err := k.env.QueryWorkflow(StateQuery)
		var end machine.State
		if err != nil || value.Get(&end) != nil || end.CurrentState != machine.Done {
			rt.Fatalf("it ends in %s: %v", end.CurrentState, err)
		}
		hub := k.hub
		hub.StateCRC = ""
		restored(rt, end, hub)
		one := filepath.Join(t.TempDir(), "machine")
		onOneMachine(rt, s, one, k.kept, next)
		sameFiles(rt, k, one)
		for _, text := range []string{read(rt, k.dir, "events.jsonl"), read(rt, k.dir, "autopilot-state.json")} {
			if strings.Contains(text, `"sha256:`) {
				rt.Fatal("the hub has a hash in place of a text")
			}
		}
	})
	if ofTasks == 0 || ofPhases == 0 {
		t.Errorf("runs began with %d hashes in tasks and %d in phases", ofTasks, ofPhases)
	}
}

// TestWhatIsCompactedDecidesNothing plays sessions with texts and, beside them, without: each event leads to the same in both, also where
// a phase is done again, its plan is edited, or a finding is dismissed.
func TestWhatIsCompactedDecidesNothing(t *testing.T) {
	replaced := 0
	rapid.Check(t, func(rt *rapid.T) {
		s := script{
			seed: rapid.Uint64().Draw(rt, "seed"), tasks: rapid.IntRange(1, 4).Draw(rt, "tasks"), bad: rapid.SampledFrom([]float64{0.1, 0.3}).Draw(rt, "bad"),
			phases: rapid.IntRange(1, 3).Draw(rt, "phases"), long: true,
		}
		e := machine.Event{Rev: 1, Type: machine.Created, Initial: s.first()}
		whole, err := transition.Apply(machine.State{}, e)
		short := compact(whole)
		for n := 0; err == nil && n < 400 && machine.Next(whole).Name != machine.StepEnd; n++ {
			e = s.next(whole)
			if odd, is := s.odd(whole); is {
				e = odd
			}
			e.Rev, e.Time = whole.Revision+1, whole.UpdatedAt.Add(time.Second)
			var without error
			whole, err = transition.Apply(whole, e)
			short, without = transition.Apply(short, e)
			if fmt.Sprint(err) != fmt.Sprint(without) {
				rt.Fatalf("%s gives %v, and without long texts %v", e.Type, err, without)
			}
			if !reflect.DeepEqual(machine.Next(short), machine.Next(whole)) || !reflect.DeepEqual(machine.Startable(short), machine.Startable(whole)) {
				rt.Fatalf("after %s, %+v follows, and without long texts %+v", e.Type, machine.Next(whole), machine.Next(short))
			}
			if !reflect.DeepEqual(compact(short), short) {
				short = isCompact(rt, short)
				replaced += restored(rt, short, whole)
			}
			if !reflect.DeepEqual(short, compact(whole)) {
				rt.Fatalf("%s leads to\n%s\nand without long texts to\n%s", e.Type, text(rt, whole), text(rt, short))
			}
		}
		if err != nil {
			rt.Fatal(err)
		}
	})
	if replaced == 0 {
		t.Error("no text was replaced")
	}
}

// odd is what a person does now and then, beside answers.
func (s script) odd(st machine.State) (e machine.Event, is bool) {
	r := s.luck("odd", st.Revision)
	if len(st.InFlight) > 0 || r.IntN(40) > 0 || st.CurrentState == machine.Init || st.CurrentState == machine.Done || st.Revision > 600 {
		return e, false
	}
	switch open := st.Register.Open(); {
	case len(open) > 0 && r.IntN(2) == 0:
		return machine.Event{Type: machine.FindingDismissed, Finding: open[0].ID, Detail: "it is none", By: "human"}, true
	case st.CurrentState == machine.Execute && st.Gate == nil && st.Step == machine.StepPick:
		return machine.Event{Type: machine.PlanEdited, Plan: s.plan(r)}, true
	}
	return machine.Event{Type: machine.PhaseRedone, Phase: 1 + r.IntN(len(st.Phases)), By: "human"}, true
}

// isCompact compacts a state, and checks the result.
func isCompact(t rapid.TB, s machine.State) machine.State {
	t.Helper()
	before := text(t, s)
	c := compact(s)
	n := restored(t, c, s)
	if text(t, s) != before {
		t.Fatal("compact changes what it was given")
	}
	if !reflect.DeepEqual(compact(c), c) {
		t.Fatal("a second time, compact finds more")
	}
	if n > 0 && (len(text(t, c)) >= len(before) || Size(Input{State: c}) >= Size(Input{State: s})) {
		t.Fatalf("%d texts less have %d bytes in place of %d, and %d in place of %d as sent", n, len(text(t, c)), len(before), Size(Input{State: c}), Size(Input{State: s}))
	}
	others := c
	others.Tasks, others.Phases = s.Tasks, s.Phases
	if !reflect.DeepEqual(others, s) {
		t.Fatal("more than tasks and phases is changed")
	}
	for i, task := range c.Tasks {
		if (!task.Over() || task.ID == s.CurrentTask) && !reflect.DeepEqual(task, s.Tasks[i]) {
			t.Fatalf("%s is changed, and it is not over", task.ID)
		}
	}
	for i, p := range c.Phases {
		if (!p.Over() || i == s.CurrentPhase) && !reflect.DeepEqual(p, s.Phases[i]) {
			t.Fatalf("phase %s is changed, and it is not over", p.Number)
		}
	}
	return c
}

// TestTextsThatAreCompacted lists them, and those beside them that are not.
func TestTextsThatAreCompacted(t *testing.T) {
	long := func(what string) string { return what + strings.Repeat(" and so on", 20) }
	hash := func(what string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(long(what)))) }
	state := func(text func(string) string) machine.State {
		found := func(what string) machine.Finding {
			return machine.Finding{Severity: machine.Important, Title: long("title"), Rationale: text(what)}
		}
		first := machine.Finding{Title: long("title"), Rationale: long("finding")}
		return machine.State{
			CurrentPhase: 1, CurrentTask: "task-003",
			Tasks: []machine.Task{
				{
					ID: "task-001", Title: long("title"), Status: machine.TaskCompleted, Diagnosis: text("diagnosis"), Summary: text("summary"), Account: long("account"),
					Attempts: []machine.Attempt{{Error: text("error"), Fix: text("fix"), Signature: "abc"}, {Error: strings.Repeat("short", 14)}},
					Finding:  &first, Also: []machine.Finding{found("also")}, Findings: []machine.Finding{found("beside")},
					Concerns: []string{text("concern")}, Proofs: []string{text("proof"), "short"},
				},
				{ID: "task-002", Status: machine.TaskSkipped, Summary: text("skipped")},
				{ID: "task-003", Status: machine.TaskCompleted, Summary: long("asked about"), Attempts: []machine.Attempt{{Error: long("asked about")}}},
				{ID: "task-004", Status: machine.TaskFailed, Summary: long("failed"), Attempts: []machine.Attempt{{Error: long("failed")}}},
				{ID: "task-005", Status: machine.TaskPending, Diagnosis: long("pending")},
			},
			Phases: []machine.Phase{
				{
					Status: machine.PhaseDone, Checks: []machine.Check{{Command: long("command"), Detail: text("detail")}}, Proofs: []string{text("phase")},
					Findings: []machine.Finding{found("phase finding")},
				},
				{Status: machine.PhaseDone, Checks: []machine.Check{{Detail: long("current")}}, Findings: []machine.Finding{{Rationale: long("current")}}},
				{Status: machine.PhaseSkip, Proofs: []string{text("left out")}},
				{Status: machine.PhaseInProgress, Proofs: []string{long("in work")}},
			},
			Register: machine.Register{{ID: "F1", Finding: machine.Finding{Rationale: long("register")}}},
		}
	}
	given := state(long)
	if got, want := compact(given), state(hash); !reflect.DeepEqual(got, want) {
		t.Errorf("it is\n%s\nwant\n%s", text(t, got), text(t, want))
	}
	if !reflect.DeepEqual(given, state(long)) {
		t.Errorf("what it was given is\n%s", text(t, given))
	}
}

// TestAnInputFitsWithoutItsLongTexts, where these are of what is over.
func TestAnInputFitsWithoutItsLongTexts(t *testing.T) {
	noise := make([]byte, largest)
	_, _ = rand.NewChaCha8([32]byte{}).Read(noise)
	for status, fits := range map[string]bool{machine.TaskCompleted: true, machine.TaskFailed: false} {
		in := Input{State: machine.State{Tasks: []machine.Task{{ID: "task-001", Status: status, Attempts: []machine.Attempt{{Error: fmt.Sprintf("%x", noise)}}}}}}
		out, why := Fit(in, Size)
		if (why == "") != fits || (Size(out) < 1000) != fits {
			t.Errorf("of a %s task, %d bytes are left: %q", status, Size(out), why)
		}
	}
	small := Input{State: machine.State{Tasks: []machine.Task{{ID: "task-001", Status: machine.TaskCompleted, Summary: strings.Repeat("long", 50)}}}}
	if out, why := Fit(small, Size); why != "" || !reflect.DeepEqual(out, small) {
		t.Errorf("of one that fits comes %+v: %q", out, why)
	}
}

// restored holds a state to another one, and counts the texts in whose place it has their hash.
func restored(t rapid.TB, got, want machine.State) int {
	t.Helper()
	var g, w any
	for of, to := range map[*machine.State]*any{&got: &g, &want: &w} {
		if err := as(of, to); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	if g = restore(g, w, &n); !reflect.DeepEqual(g, w) {
		t.Fatalf("%d hashes stand for texts, and otherwise it is not the same:\n%s\n%s", n, text(t, got), text(t, want))
	}
	return n
}

// restore puts texts back in place of their hashes, and counts them.
func restore(got, want any, n *int) any {
	switch g := got.(type) {
	case string:
		if w, is := want.(string); is && g == fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(w))) {
			*n++
			return w
		}
	case []any:
		w, _ := want.([]any)
		for i := range min(len(g), len(w)) {
			g[i] = restore(g[i], w[i], n)
		}
	case map[string]any:
		w, _ := want.(map[string]any)
		for key := range g {
			g[key] = restore(g[key], w[key], n)
		}
	}
	return got
}

// hashes counts the hashes in place of texts.
func hashes(t rapid.TB, v any) int { t.Helper(); return strings.Count(text(t, v), `"sha256:`) }

func text(t rapid.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
