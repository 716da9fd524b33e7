package audit

import (
	"encoding/json"
	"fmt"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
	"autopilot/sessions/format"
)

// maxLag is how many events the files for other tools may be behind: a run that is killed leaves them so, and commands
// beside a run write none.
const maxLag = 32

// shown is what a file beside the journal has to say.
type shown struct {
	rev int64 // of the event that it follows from
	doc any
}

// shownFiles are the files that the program makes from the journal, as it would write them.
type shownFiles struct {
	files  map[string]shown           // by name, as last written
	states map[string][]machine.State // by name, those that a file may show
	places map[string]string          // evidence.json by key: the last two folders of where it lies
	proofs map[string]shown           // evidence.json by key
	cuts   map[int64]machine.State    // where a run ended: what it wrote for an event of that revision was never recorded
}

func newShownFiles() *shownFiles {
	return &shownFiles{
		files: map[string]shown{}, states: map[string][]machine.State{}, places: map[string]string{},
		proofs: map[string]shown{}, cuts: map[int64]machine.State{},
	}
}

// take takes in an event and the states before and after it.
func (f *shownFiles) take(before machine.State, e machine.Event, after machine.State) {
	phase, key := before.CurrentPhase+1, machine.Key(before.SessionID, e.Rev)
	put := func(name string, doc any) { f.files[name] = shown{e.Rev, doc} }
	switch e.Type {
	case machine.RunStarted:
		f.cuts[e.Rev] = before
	case machine.Checked:
		where := machine.CommandsPlace
		if before.Step == machine.StepClean {
			where = machine.CleanPlace
		}
		put(verifyNameIn(before), machine.VerifyShown(key, where, e))
	case machine.Validated:
		t, _ := before.Task(e.Task)
		place := fmt.Sprintf("%s/%d", e.Task, max(1, t.Dispatches))
		f.places[key] = place
		f.proofs[key] = shown{e.Rev, machine.EvidenceShown(key, e)}
	case machine.PhaseRecorded:
		if e.Record != nil {
			put(sessions.ReviewName(phase), machine.ReviewShown(before, e.Record.Head))
		}
	case machine.Closed:
		if e.Step == "summary" {
			put(sessions.FinalReviewName, before.FinalReviewShown())
			put(sessions.FinalName, machine.FinalShown(before))
		}
	}
	f.project(after)
}

// project remembers a state for the files that Project makes of it.
func (f *shownFiles) project(s machine.State) {
	names := []string{"state.json"}
	if len(s.Tasks) > 0 {
		names = append(names, sessions.TasksName(s))
	}
	for _, name := range names {
		list := append(f.states[name], s)
		f.states[name] = list[max(0, len(list)-maxLag):]
	}
}

// verifyNameIn is the file that shows the checks of a state.
func verifyNameIn(s machine.State) string {
	if s.CurrentState == machine.FinalReview {
		return sessions.FinalVerifyName
	}
	return sessions.VerifyName(s.CurrentPhase + 1)
}

// unfinished says whether a run may have written a file for an event that was never recorded, because it ended there:
// the next run writes it again.
func (f *shownFiles) unfinished(last machine.State, events int64, name, key string) bool {
	cuts := map[int64]machine.State{events + 1: last}
	for rev, s := range f.cuts {
		if rev > f.files[name].rev {
			cuts[rev] = s
		}
	}
	for rev, s := range cuts {
		phase := s.CurrentPhase + 1
		switch {
		case s.Step == machine.StepCommands || s.Step == machine.StepClean:
			if name == verifyNameIn(s) && key == machine.Key(s.SessionID, rev) {
				return true
			}
		case s.Step == machine.StepRecord && name == sessions.ReviewName(phase), s.Step == machine.StepClose && (name == sessions.FinalName || name == sessions.FinalReviewName):
			return true
		}
	}
	return false
}

// differing names the keys in which what a file says is not what it has to say; none is the same. Empty values and
// absent ones are one.
func differing(file []byte, want any) ([]string, error) {
	got, err := format.PlainJSON(file)
	if err != nil {
		return nil, err
	}
	d, due := difference{}, documentOf(want)
	d.of("", withoutBlanks(got, due), withoutBlanks(due, got))
	keys := append(d.other, d.lacking...)
	for i, key := range keys {
		if key == "" {
			keys[i] = "all of it"
		}
	}
	return keys, nil
}

// withoutBlanks leaves out of a document the keys without a value that the other one does not have, or has no value for
// either.
func withoutBlanks(v, other any) any {
	switch doc := v.(type) {
	case map[string]any:
		beside, _ := other.(map[string]any)
		out := map[string]any{}
		for key, value := range doc {
			its, there := beside[key]
			if !(blank(value) && (!there || none(value) && none(its))) {
				out[key] = withoutBlanks(value, its)
			}
		}
		return out
	case []any:
		beside, _ := other.([]any)
		out := make([]any, len(doc))
		for i, value := range doc {
			var its any
			if i < len(beside) {
				its = beside[i]
			}
			out[i] = withoutBlanks(value, its)
		}
		return out
	}
	return v
}

func blank(v any) bool {
	return none(v) || v == false || v == "" || v == json.Number("0")
}

// none says whether a value is null or holds nothing.
func none(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}

// placeOf is where an evidence.json lies: its last two folders.
func placeOf(name string) string {
	parts := strings.Split(name, "/")
	return strings.Join(parts[max(0, len(parts)-3):max(0, len(parts)-1)], "/")
}
