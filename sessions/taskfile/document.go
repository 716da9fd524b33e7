package taskfile

import (
	"bytes"
	"errors"
	"slices"
)

// document is a task file as it was read: its bytes, what they say, and where it stands.
type document struct {
	data  []byte
	start int // of the object
	list  TaskList
	top   group // the object
	items group // its tasks, and what else stands among them
}

// Version is the version of the format that is known. A file of another one is read all the same.
const Version = 2

// byteOrderMark is what some editors put in front of UTF-8 text. It says nothing, and stays where it is.
const byteOrderMark = "\ufeff"

// parse reads a task file. It never fails for a value of the wrong kind inside a task; it does for text that is no JSON,
// a document that is no object, and tasks that are no list.
func parse(data []byte) (document, error) {
	d := document{data: data, list: blankList()}
	s := scanner{data: data}
	if bytes.HasPrefix(data, []byte(byteOrderMark)) {
		s.at = len(byteOrderMark)
	}
	s.space()
	if s.next() != '{' {
		if err := s.value(); err != nil {
			return document{}, err
		}
		return document{}, errors.New("it is no object")
	}
	d.start, d.top = s.at, group{open: '{', end: s.at + 1, at: place{lines: true}}
	read := readerOf(listFields, &d.list)
	err := s.object(func(key []byte) error {
		return d.top.take(&s, key, func() error {
			if string(key) == "tasks" {
				return d.readTasks(&s)
			}
			return read.member(&s, key)
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
	d.list.Tasks, d.list.NoTasks, d.items = nil, nil, group{open: '[', end: s.at + 1} // of a key that is there twice the last one counts
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
	d.list.Tasks = make([]ListedTask, 0, (len(s.data)-s.at)/usualSize+1)
	d.items.parts = make([]part, 0, cap(d.list.Tasks))
	read := func() error { return d.readTask(s) }
	err := s.array(func() error { return d.items.take(s, nil, read) })
	d.items.tail = s.data[d.items.end:s.at]
	return err
}

func (d *document) readTask(s *scanner) error {
	if s.next() != '{' {
		d.list.NoTasks = append(d.list.NoTasks, len(d.list.NoTasks)+len(d.list.Tasks))
		return s.value()
	}
	d.list.Tasks = append(d.list.Tasks, blankTask())
	read := readerOf(taskFields, &d.list.Tasks[len(d.list.Tasks)-1])
	return read.object(s)
}

// with is the file that says what a changed list says, and leaves all else as it is.
func (d document) with(is *TaskList) []byte {
	top := d.members()
	listFields.set(&top, &d.list, is)
	if !sameTasks(d.list.Tasks, is.Tasks) {
		d.setTasks(&top, is.Tasks)
	}
	return d.file(top)
}

// members are those of the object, to be changed.
func (d document) members() group {
	g := d.top
	g.parts = slices.Clone(g.parts)
	return g
}

// file is the whole file with these members.
func (d document) file(top group) []byte {
	out := make([]byte, 0, d.start+top.size()+len(top.after)+1)
	out = append(top.appendTo(append(out, d.data[:d.start]...)), top.after...)
	if out[len(out)-1] != '\n' {
		out = append(out, '\n')
	}
	return out
}

// itemsIn takes the list of tasks among these members apart, to be changed in its place; where there is none it is made.
func (d document) itemsIn(top *group) *group {
	raw := top.raw("tasks")
	if raw == nil {
		raw = []byte("[]")
	}
	top.set("tasks", raw)
	i := top.index("tasks")
	g := d.items
	g.at, g.parts = top.place(i), slices.Clone(g.parts)
	if g.open == 0 {
		g.open, g.tail = '[', []byte{']'}
	}
	top.parts[i].apart = &g
	return &g
}

// setTasks gives the list of tasks what changed. What is no task keeps its place; new tasks come behind the others.
func (d document) setTasks(top *group, is []ListedTask) {
	g := d.itemsIn(top)
	now, added := paired(d.list.Tasks, is)
	n := 0
	var gone []bool
	for i, p := range g.parts {
		if p.value[0] != '{' {
			gone = append(gone, false)
			continue
		}
		gone = append(gone, now[n] == nil)
		if now[n] != nil && !taskFields.same(&d.list.Tasks[n], now[n]) {
			g.parts[i].value = taskFields.write(p.value, &d.list.Tasks[n], now[n], g.place(i))
		}
		n++
	}
	if slices.Contains(gone, true) {
		g.drop(func(part) bool { was := gone[0]; gone = gone[1:]; return was })
	}
	for _, t := range added {
		g.add(part{value: spread(Whole(*t), g.place(len(g.parts)))})
	}
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

func sameTasks(a, b []ListedTask) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a { // slices.EqualFunc would copy each task onto the heap
		if !taskFields.same(&a[i], &b[i]) {
			return false
		}
	}
	return true
}

func sameList(a, b *TaskList) bool {
	return listFields.same(a, b) && sameTasks(a.Tasks, b.Tasks)
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
	return append(spread(l, place{lines: true}), '\n')
}

// cloned is a list that shares no memory with the one given.
func cloned(l TaskList) TaskList {
	l.Tasks = slices.Clone(l.Tasks)
	l.Created, l.LastSession = copied(l.Created), copied(l.LastSession)
	var texts copies
	for i := range l.Tasks {
		t := &l.Tasks[i]
		t.Steps, t.ChangesTests = texts.of(t.Steps), texts.of(t.ChangesTests)
		t.DependsOn, t.ErrorLog, t.Checkpoints = texts.of(t.DependsOn), texts.of(t.ErrorLog), slices.Clone(t.Checkpoints)
		t.StartedAtCommit, t.ClaimedBy, t.OnFailure.Cleanup = copied(t.StartedAtCommit), copied(t.ClaimedBy), copied(t.OnFailure.Cleanup)
		t.CompletedAt, t.LeaseExpiresAt = copied(t.CompletedAt), copied(t.LeaseExpiresAt)
		t.ClaimedAt, t.FailedAt = copied(t.ClaimedAt), copied(t.FailedAt)
	}
	return l
}

// copies are those of lists of texts. Many of them share one piece of memory, since most are short; none can grow into the
// next one.
type copies struct{ free []string }

func (c *copies) of(list []string) []string {
	const many = 512
	if len(list) == 0 || len(list) > many/8 {
		return slices.Clone(list)
	}
	if len(list) > len(c.free) {
		c.free = make([]string, many)
	}
	one := c.free[:len(list):len(list)]
	c.free = c.free[len(list):]
	copy(one, list)
	return one
}

func copied[V any](v *V) *V {
	if v == nil {
		return nil
	}
	c := *v
	return &c
}
