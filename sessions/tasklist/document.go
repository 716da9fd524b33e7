package tasklist

import (
	"errors"
	"slices"

	"autopilot/autopilot/machine"
)

// document is a task file as it was read: its bytes, what they say, and where it stands.
type document struct {
	data  []byte
	start int // of the object
	list  machine.TaskList
	top   group // the object
	items group // its tasks, and what else stands among them
}

// parse reads a task file. It never fails for a value of the wrong kind inside a task; it does for text that is no JSON,
// a document that is no object, and tasks that are no list.
func parse(data []byte) (document, error) {
	d := document{data: data, list: blankList()}
	s := scanner{data: data}
	s.space()
	if s.next() != '{' {
		if err := s.value(); err != nil {
			return document{}, err
		}
		return document{}, errors.New("it is no object")
	}
	d.start, d.top = s.at, group{open: '{', end: s.at + 1, at: place{lines: true}}
	err := s.object(func(key []byte) error {
		return d.top.take(&s, key, func() error {
			if string(key) == "tasks" {
				return d.readTasks(&s)
			}
			return listFields.read(&s, key, &d.list)
		})
	})
	if err != nil {
		return document{}, err
	}
	d.top.tail, d.top.after = data[d.top.end:s.at], data[s.at:]
	if s.space(); s.at < len(data) {
		return document{}, s.fail("more than one value")
	}
	return d, nil
}

// usualSize is how many bytes a task has in a file at least, as a rule: room is made for that many tasks.
const usualSize = 500

func (d *document) readTasks(s *scanner) error {
	d.list.Tasks, d.items = nil, group{open: '[', end: s.at + 1} // of a key that is there twice the last one counts
	switch s.next() {
	case 'n':
		d.items.tail = []byte{']'}
		return s.value()
	case '[':
	default:
		if err := s.value(); err != nil {
			return err
		}
		return errors.New("its tasks are no list")
	}
	d.list.Tasks = make([]machine.ListedTask, 0, (len(s.data)-s.at)/usualSize+1)
	d.items.parts = make([]part, 0, cap(d.list.Tasks))
	read := func() error { return d.readTask(s) }
	err := s.array(func() error { return d.items.take(s, nil, read) })
	d.items.tail = s.data[d.items.end:s.at]
	return err
}

func (d *document) readTask(s *scanner) error {
	if s.next() != '{' {
		return s.value()
	}
	d.list.Tasks = append(d.list.Tasks, blankTask())
	t := &d.list.Tasks[len(d.list.Tasks)-1]
	return s.object(func(key []byte) error { return taskFields.read(s, key, t) })
}

// with is the file that says what a changed list says, and leaves all else as it is.
func (d document) with(is *machine.TaskList) []byte {
	g := d.top
	g.parts = slices.Clone(g.parts)
	listFields.set(&g, &d.list, is)
	if !sameTasks(d.list.Tasks, is.Tasks) {
		i := g.index("tasks")
		if i < 0 {
			i = len(g.parts)
		}
		g.set("tasks", d.tasks(is.Tasks, g.place(i)))
	}
	out := append(g.bytes(), g.after...)
	if d.start > 0 {
		out = slices.Insert(out, 0, d.data[:d.start]...)
	}
	if out[len(out)-1] != '\n' {
		out = append(out, '\n')
	}
	return out
}

// tasks is the list of tasks in the file. What is no task keeps its place; new tasks come behind the others.
func (d document) tasks(is []machine.ListedTask, at place) []byte {
	g := d.items
	g.at, g.parts = at, slices.Clone(g.parts)
	if g.open == 0 {
		g.open, g.tail = '[', []byte{']'}
	}
	now, added := paired(d.list.Tasks, is)
	n := 0
	var gone []bool
	for i, p := range g.parts {
		if p.value[0] != '{' {
			gone = append(gone, false)
			continue
		}
		gone = append(gone, now[n] == nil)
		if now[n] != nil {
			g.parts[i].value = taskFields.write(p.value, &d.list.Tasks[n], now[n], g.place(i))
		}
		n++
	}
	if slices.Contains(gone, true) {
		g.drop(func(part) bool { was := gone[0]; gone = gone[1:]; return was })
	}
	for _, t := range added {
		g.add(part{value: spread(whole(*t), g.place(len(g.parts)))})
	}
	return g.bytes()
}

// paired finds for each task of a list what it is in a later one, nil where it is gone, and what was added to that. Of
// several with the same id the first belongs to the first.
func paired(was, is []machine.ListedTask) (now, added []*machine.ListedTask) {
	now = make([]*machine.ListedTask, len(was))
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

func sameTasks(a, b []machine.ListedTask) bool {
	return slices.EqualFunc(a, b, func(x, y machine.ListedTask) bool { return taskFields.same(&x, &y) })
}

func sameList(a, b *machine.TaskList) bool {
	return listFields.same(a, b) && sameTasks(a.Tasks, b.Tasks)
}

// whole is a task with its lists as lists: other programs do not take null for one.
func whole(t machine.ListedTask) machine.ListedTask {
	t.DependsOn, t.ErrorLog = append([]string{}, t.DependsOn...), append([]string{}, t.ErrorLog...)
	t.Checkpoints = append([]machine.Milestone{}, t.Checkpoints...)
	return t
}

// fresh is the file of a new list.
func fresh(l machine.TaskList) []byte {
	tasks := make([]machine.ListedTask, 0, len(l.Tasks))
	for _, t := range l.Tasks {
		tasks = append(tasks, whole(t))
	}
	l.Tasks = tasks
	return append(spread(l, place{lines: true}), '\n')
}

// cloned is a list that shares no memory with the one given.
func cloned(l machine.TaskList) machine.TaskList {
	l.Tasks = slices.Clone(l.Tasks)
	l.Created, l.LastSession = copied(l.Created), copied(l.LastSession)
	for i := range l.Tasks {
		t := &l.Tasks[i]
		t.DependsOn, t.ErrorLog, t.Checkpoints = slices.Clone(t.DependsOn), slices.Clone(t.ErrorLog), slices.Clone(t.Checkpoints)
		t.StartedAtCommit, t.ClaimedBy, t.OnFailure.Cleanup = copied(t.StartedAtCommit), copied(t.ClaimedBy), copied(t.OnFailure.Cleanup)
		t.CompletedAt, t.LeaseExpiresAt = copied(t.CompletedAt), copied(t.LeaseExpiresAt)
		t.ClaimedAt, t.FailedAt = copied(t.ClaimedAt), copied(t.FailedAt)
	}
	return l
}

func copied[V any](v *V) *V {
	if v == nil {
		return nil
	}
	c := *v
	return &c
}
