package taskfile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
)

// imported are the states of a feature as those of a task. What is in none of them begins anew.
var imported = map[string]string{
	"done": machine.TaskCompleted, machine.TaskCompleted: machine.TaskCompleted, machine.TaskFailed: machine.TaskFailed,
}

// importedPriority are the priorities that are not P2.
var importedPriority = map[string]string{"1": "P0", "2": "P1"}

// Features are what another program's tasks.json holds: {"features": [{id, description, steps, status, priority,
// depends_on}]}, and whatever keys it has beside them.
type Features struct {
	tasks  []ListedTask
	raws   [][]byte // each as it is written
	others []part   // the members beside them
}

// Imported says what an import came to.
type Imported struct {
	Added   int      // tasks
	Bare    int      // of these are not done, and have no validation
	There   []string // ids of features that the list had already; they stay as they are
	Missing []string // what the added ones depend on and nothing has, each as "f2 depends on f9"
	LeftOut []string // keys beside the features of which the task file has one that says something else
}

// ReadFeatures reads a tasks.json. A feature without an id, and two with the same, are an error.
func ReadFeatures(data []byte) (*Features, error) {
	data = bytes.TrimPrefix(data, []byte(byteOrderMark))
	raws, err := featuresIn(data)
	if err != nil {
		return nil, err
	}
	f := &Features{}
	ids := map[string]bool{}
	for _, raw := range raws {
		if raw[0] != '{' {
			return nil, fmt.Errorf("a feature is no object: %.80s", raw)
		}
		t := featureTask(raw)
		if t.ID == "" {
			return nil, fmt.Errorf("a feature has no id: %.80s", raw)
		}
		if ids[t.ID] {
			return nil, fmt.Errorf("two features have the id %s", t.ID)
		}
		ids[t.ID] = true
		f.tasks, f.raws = append(f.tasks, t), append(f.raws, raw)
	}
	all, ok := groupOf(bytes.TrimSpace(data), place{})
	if !ok {
		return nil, errors.New("it is nested too deeply")
	}
	for i, p := range all.parts {
		if !strings.EqualFold(p.key, "features") && all.index(p.key) == i {
			f.others = append(f.others, p)
		}
	}
	return f, nil
}

// featuresIn are the members of features[], as they are written.
func featuresIn(data []byte) ([]json.RawMessage, error) {
	var doc struct {
		Features json.RawMessage `json:"features"`
	}
	var raws []json.RawMessage
	err := json.Unmarshal(data, &doc)
	if wrong := (*json.SyntaxError)(nil); errors.As(err, &wrong) {
		return nil, fmt.Errorf("it is no JSON: %w", err)
	}
	if err != nil || json.Unmarshal(doc.Features, &raws) != nil || raws == nil {
		return nil, errors.New(`it has no features[], as in {"features": [{"id": "f1", "description": "Log in"}]}`)
	}
	return raws, nil
}

// Import adds features as tasks, with all their keys, and the keys beside them where the task file has none of that name.
// An id that another task of the list has is an error, and nothing is added then. Other errors: those of Update.
func (s *Store) Import(ctx context.Context, features *Features) (Imported, error) {
	lock, err := s.lock(ctx)
	if err != nil {
		return Imported{}, err
	}
	defer lock.release()
	f, err := s.read()
	if err != nil {
		return Imported{}, err
	}
	out, result, err := f.doc.importing(features)
	if err != nil {
		return Imported{}, err
	}
	return result, s.replace(f, out)
}

// importing is the file with features behind its tasks.
func (d document) importing(f *Features) ([]byte, Imported, error) {
	var result Imported
	top := d.members()
	items := d.itemsIn(&top)
	before, list := d.list.Missing(), d.list
	list.Tasks = slices.Clone(list.Tasks)
	for i, t := range f.tasks {
		if there := d.list.Find(t.ID); there != nil {
			if !sameFeature(there, &t) {
				return nil, result, fmt.Errorf("%s is in the list already, as another task (%s): give one of them another id", t.ID, there.Title)
			}
			result.There = append(result.There, t.ID)
			continue
		}
		items.add(part{value: asTask(f.raws[i], t, items.place(len(items.parts)))})
		list.Tasks = append(list.Tasks, t)
		if result.Added++; t.Status != machine.TaskCompleted && !t.Validation.Checks() {
			result.Bare++
		}
	}
	result.Missing = slices.DeleteFunc(list.Missing(), func(m string) bool { return slices.Contains(before, m) })
	for _, p := range f.others {
		switch there := top.raw(p.key); {
		case there != nil && bytes.Equal(compact(json.RawMessage(there)), compact(json.RawMessage(p.value))):
		case there != nil || listFields.has(p.key):
			result.LeftOut = append(result.LeftOut, p.key)
		default:
			top.set(p.key, spread(json.RawMessage(p.value), top.place(len(top.parts))))
		}
	}
	return d.file(top), result, nil
}

// sameFeature says whether a task came from a feature. Its title may have been changed since, or its description.
func sameFeature(t, feature *ListedTask) bool {
	return t.Title == feature.Title || t.Description != "" && t.Description == feature.Description
}

// featureTask is a feature as a task.
func featureTask(raw []byte) ListedTask {
	t := blankTask()
	taskFields.readAll(raw, &t)
	var more struct {
		Name      string
		DependsOn json.RawMessage `json:"depends_on"`
	}
	_ = json.Unmarshal(raw, &more) // a name that is no text is no title
	if t.Title == "" {
		t.Title = more.Name
	}
	if t.Title == "" {
		t.Title, _, _ = strings.Cut(strings.TrimSpace(t.Description), "\n")
	}
	if slices.Contains(t.DependsOn, NoDependencyList) {
		t.DependsOn = nil
		if id, ok := wordOf(more.DependsOn); ok && id != "" { // one that is named without a list
			t.DependsOn = []string{id}
		}
	}
	if status, ok := imported[t.Status]; ok {
		t.Status = status
	} else {
		t.Status = machine.TaskPending
	}
	if t.Priority = importedPriority[t.Priority]; t.Priority == "" {
		t.Priority = "P2"
	}
	if t.Status == machine.TaskFailed && t.Attempts == 0 {
		t.Attempts = 1
	}
	return t
}

// asTask is a feature as it stands in the task file: with its own keys, and those of a task. Status, id and dependencies
// are always written: other programs take no task without a status, and no number for an id.
func asTask(raw []byte, t ListedTask, at place) []byte {
	was := blankTask()
	taskFields.readAll(raw, &was)
	was.ID, was.Status, was.DependsOn = "", "", append(slices.Clone(t.DependsOn), "")
	return spread(json.RawMessage(taskFields.write(raw, &was, &t, at)), at)
}
