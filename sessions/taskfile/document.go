package taskfile

import (
	"bytes"
	"errors"
	"reflect"

	"autopilot/autopilot/jsonedit"
)

// Version is the version of the format that is known. A file of another one is read all the same.
const Version = 2

// document is a task file as it was read: its bytes, and what they say.
type document struct {
	data []byte
	top  jsonedit.Node
	list TaskList
}

// parse reads a task file. It never fails for a value of the wrong kind inside a task; it does for text that is no JSON,
// a document that is no object, and tasks that are no list.
func parse(data []byte) (document, error) {
	top, err := jsonedit.Parse(data)
	if err != nil {
		return document{}, err
	}
	if top.Kind() != '{' {
		return document{}, errors.New("it is no object")
	}
	switch top.Member("tasks").Kind() {
	case 0, 'n', '[':
		return document{data, top, readList(top)}, nil
	}
	return document{}, errors.New("its tasks are no list")
}

// with is the file that says what a changed list says, and leaves all else as it is. It uses the document up.
func (d document) with(is *TaskList) []byte {
	was, now := d.list, *is
	was.Tasks, now.Tasks = nil, nil
	d.top.Change(jsonedit.Of(was), jsonedit.Of(now))
	d.changeTasks(is.Tasks)
	return d.changed()
}

// changed is the whole file; where something was changed its last line has an end.
func (d document) changed() []byte {
	out := d.top.Bytes()
	if !bytes.Equal(out, d.data) && out[len(out)-1] != '\n' {
		out = append(out, '\n')
	}
	return out
}

// changeTasks gives the list of tasks what changed. What is no task keeps its place; new tasks come behind the others.
func (d document) changeTasks(is []ListedTask) {
	now, added := paired(d.list.Tasks, is)
	n, gone := 0, map[int]bool{}
	for i, e := range d.top.Member("tasks").Elements() {
		if e.Kind() != '{' {
			continue
		}
		switch was := d.list.Tasks[n]; {
		case now[n] == nil:
			gone[i] = true
		case !reflect.DeepEqual(was, *now[n]):
			e.Change(asWritten(was), asWritten(*now[n]))
		}
		n++
	}
	if len(gone) > 0 {
		d.top.Member("tasks").DeleteFunc(func(i int) bool { return gone[i] })
	}
	for _, t := range added {
		d.appendTask(Whole(*t))
	}
}

// appendTask puts a task, or what is to be one, behind the others.
func (d document) appendTask(task any) {
	if d.top.Member("tasks").Kind() != '[' {
		d.top.Set("tasks", []any{})
	}
	d.top.Member("tasks").Append(task)
}

// asWritten is a task as it is written over one that is there: of a claim that is over the keys are gone, as the other
// programs do it.
func asWritten(t ListedTask) jsonedit.Node {
	n := jsonedit.Of(Whole(t))
	if t.ClaimedBy == nil {
		n.Remove("claimed_by")
	}
	if t.LeaseExpiresAt == nil {
		n.Remove("lease_expires_at")
	}
	return n
}

// paired finds for each task of a list what it is in a later one, nil where it is gone, and what was added to that. Of
// several with the same id the first belongs to the first.
func paired(was, is []ListedTask) (now, added []*ListedTask) {
	now = make([]*ListedTask, len(was))
	places := map[string][]int{}
	for i, t := range was {
		if i < len(is) && is[i].ID == t.ID {
			now[i] = &is[i]
			continue
		}
		places[t.ID] = append(places[t.ID], i)
	}
	for i := range is {
		t := &is[i]
		if i < len(was) && now[i] == t {
			continue
		}
		if free := places[t.ID]; len(free) > 0 {
			now[free[0]], places[t.ID] = t, free[1:]
			continue
		}
		added = append(added, t)
	}
	return now, added
}

// Whole is a task with its lists as lists: other programs do not take null for one.
func Whole(t ListedTask) ListedTask {
	t.DependsOn, t.ErrorLog = append([]string{}, t.DependsOn...), append([]string{}, t.ErrorLog...)
	t.Checkpoints = append([]Milestone{}, t.Checkpoints...)
	return t
}

// fresh is the file of a new list.
func fresh(l TaskList) []byte {
	tasks := make([]ListedTask, 0, len(l.Tasks))
	for _, t := range l.Tasks {
		tasks = append(tasks, Whole(t))
	}
	l.Tasks = tasks
	return append(jsonedit.Indented(l), '\n')
}
