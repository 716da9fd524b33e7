package taskfile

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/jsonedit"
	"autopilot/autopilot/machine"
)

// imported are the states of a feature as those of a task. What is in none of them starts over.
var imported = map[string]string{
	"done": machine.TaskCompleted, machine.TaskCompleted: machine.TaskCompleted, machine.TaskFailed: machine.TaskFailed,
}

// importedPriority are the priorities that are not P2.
var importedPriority = map[string]string{"1": "P0", "2": "P1"}

// Features are what another program's tasks.json holds: {"features": [{id, description, steps, status, priority,
// depends_on}]}, and whatever keys it has beside them.
type Features struct {
	tasks []ListedTask
	items []jsonedit.Node // each as it is written
	all   jsonedit.Node
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
	all, err := jsonedit.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("it is no JSON: %w", err)
	}
	if all.Member("features").Kind() != '[' {
		return nil, errors.New(`it has no features[], as in {"features": [{"id": "f1", "description": "Log in"}]}`)
	}
	f := &Features{all: all}
	ids := map[string]bool{}
	for _, item := range all.Member("features").Elements() {
		if item.Kind() != '{' {
			return nil, fmt.Errorf("a feature is no object: %.80s", item.Raw())
		}
		t := featureTask(item)
		if t.ID == "" {
			return nil, fmt.Errorf("a feature has no id: %.80s", item.Raw())
		}
		if ids[t.ID] {
			return nil, fmt.Errorf("two features have the id %s", t.ID)
		}
		ids[t.ID] = true
		f.tasks, f.items = append(f.tasks, t), append(f.items, item)
	}
	return f, nil
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
		d.appendTask(asTask(f.items[i], t))
		list.Tasks = append(list.Tasks, t)
		if result.Added++; t.Status != machine.TaskCompleted && !t.Validation.Checks() {
			result.Bare++
		}
	}
	result.Missing = slices.DeleteFunc(list.Missing(), func(m string) bool { return slices.Contains(before, m) })
	for key, value := range f.all.Members() {
		switch there := d.top.Member(key); {
		case key == "features":
		case there.Kind() != 0 && bytes.Equal(jsonedit.Compact(there.Raw()), jsonedit.Compact(value.Raw())):
		case there.Kind() != 0 || jsonedit.Of(TaskList{}).Member(key).Kind() != 0:
			result.LeftOut = append(result.LeftOut, key)
		default:
			d.top.Set(key, value.Raw())
		}
	}
	return d.changed(), result, nil
}

// sameFeature says whether a task came from a feature. Its title may have been changed since, or its description.
func sameFeature(t, feature *ListedTask) bool {
	return t.Title == feature.Title || t.Description != "" && t.Description == feature.Description
}

// featureTask is a feature as a task.
func featureTask(n jsonedit.Node) ListedTask {
	t := readTask(n)
	if t.Title == "" {
		read(n, "name", textOf, &t.Title)
	}
	if t.Title == "" {
		t.Title, _, _ = strings.Cut(strings.TrimSpace(t.Description), "\n")
	}
	if slices.Contains(t.DependsOn, NoDependencyList) {
		t.DependsOn = nil
		if id, ok := wordOf(n.Member("depends_on")); ok { // one that is named without a list
			t.DependsOn = []string{id}
		}
	}
	t.Status = cmp.Or(imported[t.Status], machine.TaskPending)
	t.Priority = cmp.Or(importedPriority[t.Priority], "P2")
	if t.Status == machine.TaskFailed && t.Attempts == 0 {
		t.Attempts = 1
	}
	return t
}

// asTask is a feature as it stands in the task file: with its own keys, and those of a task. Status, id and dependencies
// are always written: other programs take no task without a status, and no number for an id.
func asTask(item jsonedit.Node, t ListedTask) json.RawMessage {
	was := asWritten(readTask(item))
	for _, key := range []string{"id", "status", "depends_on"} {
		was.Remove(key)
	}
	item.Change(was, asWritten(t))
	return item.Raw()
}
