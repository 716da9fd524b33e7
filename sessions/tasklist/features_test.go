package tasklist

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/machine"
)

func TestFeaturesBecomeTasksAndKeepTheirOtherKeys(t *testing.T) {
	s := &Store{Root: t.TempDir(), Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }}
	if err := s.Create(machine.TaskList{Version: 2, Tasks: []machine.ListedTask{}}); err != nil {
		t.Fatal(err)
	}
	added, err := s.Import(t.Context(), []byte(`{"project": "x", "features": [
		{"id": "login", "description": "Log in\nby mail", "steps": ["a", "b"], "status": "done", "priority": 1, "owner": {"name": "ann"}},
		{"id": 7, "name": "Pay", "status": "testing", "priority": 2, "depends_on": ["login"]},
		{"id": "ship", "title": "Ship it", "status": "in_progress", "priority": 5},
		{"id": "old", "status": "failed"}
	]}`))
	if err != nil || added != 4 {
		t.Fatalf("%d were added, %v", added, err)
	}
	list, err := s.Read()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, task := range list.Tasks {
		got = append(got, strings.Join([]string{task.ID, task.Title, task.Status, task.Priority, strings.Join(task.DependsOn, ",")}, "|"))
	}
	want := []string{"login|Log in|completed|P0|", "7|Pay|pending|P1|login", "ship|Ship it|pending|P2|", "old||failed|P2|"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the tasks are otherwise (-want +got):\n%s", diff)
	}
	data, err := os.ReadFile(filepath.Join(s.Root, FileName))
	if err != nil || !json.Valid(data) {
		t.Fatalf("%v:\n%s", err, data)
	}
	for _, kept := range []string{`"owner"`, `"ann"`, `"Log in\nby mail"`, `"steps"`} {
		if !strings.Contains(string(data), kept) {
			t.Errorf("%s is gone:\n%s", kept, data)
		}
	}
}

func TestWhatIsNoListOfFeaturesAddsNothing(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no JSON":               {"{", "unexpected end"},
		"no features":           {`{"tasks": []}`, "no features[]"},
		"a feature of a number": {`{"features": [1]}`, "no object"},
		"no id":                 {`{"features": [{"id": "new"}, {"status": "done"}]}`, "no id"},
		"an id that is there":   {`{"features": [{"id": "new"}, {"id": "task-001"}]}`, "task-001 is in the list already"},
		"an id twice":           {`{"features": [{"id": "new"}, {"id": "new"}]}`, "new is in the list already"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Store{Root: t.TempDir(), Now: time.Now}
			if err := s.Create(machine.TaskList{Version: 2, Tasks: []machine.ListedTask{{ID: "task-001", Status: machine.TaskPending}}}); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Import(t.Context(), []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want one with %q", err, c.want)
			}
			if list, err := s.Read(); err != nil || len(list.Tasks) != 1 {
				t.Errorf("%d tasks, %v", len(list.Tasks), err)
			}
		})
	}
}
