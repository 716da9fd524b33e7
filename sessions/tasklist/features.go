package tasklist

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
)

// imported are the states of a feature as those of a task. What is not done begins anew.
var imported = map[string]string{"done": machine.TaskCompleted, "failed": machine.TaskFailed}

// importedPriority are the priorities that are not P2.
var importedPriority = map[string]string{"1": "P0", "2": "P1"}

// Import adds the features of another program's tasks.json ({"features": [{id, description, steps, status, priority,
// depends_on}]}) as tasks, and returns how many. Their other keys stay. An id that the list has already is an error, and
// nothing is added then.
func (s *Store) Import(ctx context.Context, data []byte) (int, error) {
	features, err := featuresOf(data)
	if err != nil {
		return 0, err
	}
	lock, err := s.lock(ctx)
	if err != nil {
		return 0, err
	}
	defer lock.release()
	f, err := s.read()
	if err != nil {
		return 0, err
	}
	for _, raw := range features {
		t := featureTask(raw)
		if t.ID == "" {
			return 0, fmt.Errorf("a feature has no id: %.80s", raw)
		}
		if f.doc.list.Find(t.ID) != nil {
			return 0, fmt.Errorf("%s is in the list already", t.ID)
		}
		f.doc.list.Tasks = append(f.doc.list.Tasks, t)
	}
	out := f.doc.adding(features, f.doc.list.Tasks[len(f.doc.list.Tasks)-len(features):])
	if err := sessions.ReplaceDurably(s.disk(), s.Path(), out, true); err != nil {
		return 0, fmt.Errorf("replacing %s: %w", FileName, err)
	}
	return len(features), nil
}

// featuresOf are the features of a tasks.json, each as it is written.
func featuresOf(data []byte) ([]json.RawMessage, error) {
	var doc struct {
		Features *[]json.RawMessage `json:"features"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, err
	}
	if doc.Features == nil {
		return nil, errors.New("it has no features[]")
	}
	for _, raw := range *doc.Features {
		if len(raw) == 0 || raw[0] != '{' {
			return nil, fmt.Errorf("a feature is no object: %.80s", raw)
		}
	}
	return *doc.Features, nil
}

// featureTask is a feature as a task.
func featureTask(raw []byte) machine.ListedTask {
	t := blankTask()
	taskFields.readAll(raw, &t)
	var more struct{ Name, Description string }
	_ = json.Unmarshal(raw, &more) // what is no text is no title
	if t.Title == "" {
		t.Title = more.Name
	}
	if t.Title == "" {
		t.Title, _, _ = strings.Cut(strings.TrimSpace(more.Description), "\n")
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

// adding is the file with further objects behind its tasks, each with what it says as a task.
func (d document) adding(raws []json.RawMessage, tasks []machine.ListedTask) []byte {
	start := strings.IndexByte(string(d.data), '{')
	g, _ := groupOf(d.data[start:], place{lines: true})
	i := g.index("tasks")
	if i < 0 {
		i = len(g.parts)
	}
	list, ok := groupOf(g.raw("tasks"), g.place(i))
	if !ok {
		list, _ = groupOf([]byte("[]"), g.place(i))
	}
	for n, raw := range raws {
		was, at := blankTask(), list.place(len(list.parts))
		taskFields.readAll(raw, &was)
		is := whole(tasks[n])
		list.add(part{value: spread(json.RawMessage(taskFields.write(raw, &was, &is, at)), at)})
	}
	g.set("tasks", list.bytes())
	out := append([]byte(nil), d.data[:start]...)
	out = append(append(out, g.bytes()...), g.after...)
	if out[len(out)-1] != '\n' {
		out = append(out, '\n')
	}
	return out
}
