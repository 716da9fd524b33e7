package audit

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
)

const believed = "readers of the file believe what the journal does not say"

// lookAtRecords holds the files that show records, tasks and reviews against the journal. They decide nothing, but people
// and other tools believe them.
func (a *Report) lookAtRecords(dir string, files *shownFiles) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // what cannot be read is no record
		}
		name, _ := filepath.Rel(dir, path)
		name = filepath.ToSlash(name)
		look := a.lookAtShown
		switch {
		case d.Name() == "evidence.json" && strings.HasPrefix(name, "attempts/"):
			look = a.lookAtEvidence
		case strings.HasPrefix(name, "phase-") && strings.HasSuffix(name, "-tasks.json"):
			look = a.lookAtTasks
		case files.states[name] != nil:
			look = a.lookAtProjection
		case files.files[name].doc == nil && !isVerify(name):
			return nil
		}
		data, err := os.ReadFile(path)
		if err == nil && !json.Valid(data) {
			err = json.Unmarshal(data, &struct{}{})
		}
		if err != nil {
			a.problem(PartRecords, name, "what people and other tools read there is gone; the journal has it", "it cannot be read: %v", err)
			return nil
		}
		look(files, name, data)
		return nil
	})
	for _, name := range slices.Sorted(maps.Keys(files.files)) {
		if _, err := os.Lstat(filepath.Join(dir, name)); errors.Is(err, fs.ErrNotExist) {
			a.problem(PartRecords, name, "people and other tools miss it; the journal has what it said", "it is not there")
		}
	}
}

func isVerify(name string) bool {
	return name == sessions.FinalVerifyName || strings.HasPrefix(name, "phase-") && strings.HasSuffix(name, "-verify.json")
}

func keyIn(data []byte) string {
	var doc struct{ Key string }
	_ = json.Unmarshal(data, &doc) // one without a key has none
	return doc.Key
}

// compare holds a file against what it has to say.
func (a *Report) compare(name string, data []byte, want shown) {
	keys, err := differing(data, want.doc)
	switch {
	case err != nil:
		a.problem(PartRecords, name, believed, "it cannot be compared: %v", err)
	case len(keys) > 0:
		a.problem(PartRecords, name, believed, "it is not what the journal has at revision %d: %s", want.rev, named(keys))
	}
}

// lookAtShown compares a file of the session's folder with what the program wrote there last.
func (a *Report) lookAtShown(files *shownFiles, name string, data []byte) {
	want, key := files.files[name], keyIn(data)
	switch {
	case want.doc != nil && same(data, want.doc):
	case files.unfinished(a.State, a.Events, name, key):
		a.say("%s was written when a run ended, and shows what was not recorded; the next one writes it again", name)
	case want.doc != nil:
		a.compare(name, data, want)
	case key != "":
		a.problem(PartRecords, name, believed, "the journal has no record with its key %s", key)
	}
}

func same(data []byte, want any) bool {
	keys, err := differing(data, want)
	return err == nil && len(keys) == 0
}

// lookAtEvidence compares the record in the folder of an attempt with the one in the journal. One with the key of an event
// that was never recorded, because the run ended there, shows nothing; nor does one of an older program, without a key.
func (a *Report) lookAtEvidence(files *shownFiles, name string, data []byte) {
	key, place := keyIn(data), placeOf(name)
	want, known := files.proofs[key]
	rev, _ := strconv.ParseInt(key[strings.LastIndex(key, "/")+1:], 10, 64)
	_, cut := files.cuts[rev]
	switch {
	case known && files.places[key] != place:
		a.problem(PartRecords, name, believed, "it is the record of %s (revision %d)", files.places[key], want.rev)
	case known:
		a.compare(name, data, want)
	case key == machine.Key(a.State.SessionID, rev) && (cut || rev == a.Events+1):
		a.say("%s was written when a run ended, and shows what was not recorded", name)
	case key != "" || !a.older() && slices.Contains(slices.Collect(maps.Values(files.places)), place):
		a.problem(PartRecords, name, believed, "the journal has no record with its key %s", strconv.Quote(key))
	}
}

// older says whether some records were made by a program that gave them no evidence.
func (a *Report) older() bool {
	return slices.ContainsFunc(a.Proofs, func(p Proof) bool { return p.Evidence == nil && len(p.Checks) > 0 })
}

// lookAtProjection compares a file that follows each state with the last ones that it may show.
func (a *Report) lookAtProjection(files *shownFiles, name string, data []byte) {
	states := files.states[name]
	var file struct {
		LastSession *time.Time `json:"last_session"` // a list that did not change is not written again for its time
	}
	_ = json.Unmarshal(data, &file) // of another form it differs
	var want shown
	for _, s := range slices.Backward(states) {
		doc := sessions.HarnessStateOf(s)
		if name != "state.json" {
			list := sessions.TaskFileOf(s)
			list.LastSession = file.LastSession
			doc = list
		}
		if same(data, doc) {
			return
		}
		if want.doc == nil {
			want = shown{s.Revision, doc}
		}
	}
	a.compare(name, data, want)
}

// lookAtTasks looks for tasks that are shown as completed and that no event completed, then for all else.
func (a *Report) lookAtTasks(files *shownFiles, name string, data []byte) {
	var file struct {
		Tasks []struct{ ID, Status string }
	}
	err := json.Unmarshal(data, &file)
	phase, numErr := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(name, "phase-"), "-tasks.json"))
	if err != nil || numErr != nil {
		a.problem(PartRecords, name, "other tools cannot read the tasks of the phase", "it cannot be read: %v", err)
		return
	}
	known := true
	for _, t := range file.Tasks {
		if t.Status == machine.TaskCompleted && !a.completed(phase, t.ID) {
			known = false
			a.problem(PartRecords, name, "readers of the file take the task for done", "%s is completed there, and in the journal it is not", t.ID)
		}
	}
	if known && files.states[name] != nil {
		a.lookAtProjection(files, name, data)
	}
}

func (a *Report) completed(phase int, task string) bool {
	return slices.ContainsFunc(a.Claims, func(c Claim) bool {
		return c.Kind == ClaimTask && c.Task == task && (c.Phase == phase || c.Phase == 0)
	})
}
