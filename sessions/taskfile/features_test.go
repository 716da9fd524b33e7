package taskfile

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// importing reads a tasks.json and adds it.
func importing(t *testing.T, s *Store, text string) (Imported, error) {
	t.Helper()
	f, err := ReadFeatures([]byte(text))
	if err != nil {
		return Imported{}, err
	}
	return s.Import(t.Context(), f)
}

func TestFeaturesBecomeTasksAndKeepTheirOtherKeys(t *testing.T) {
	s := storeIn(t, t.TempDir())
	if err := s.Create(TaskList{Version: 2, Tasks: []ListedTask{}}); err != nil {
		t.Fatal(err)
	}
	got, err := importing(t, s, "\ufeff"+`{"project": "x", "features": [
		{"id": "login", "description": "Log in\nby mail", "steps": ["a", "b"], "status": "done", "priority": 1, "owner": {"name": "ann"}},
		{"id": 7, "name": "Pay", "status": "testing", "priority": 2, "depends_on": ["login", "gone"]},
		{"id": "ship", "title": "Ship it", "status": "in_progress", "priority": 5, "depends_on": 7},
		{"id": "old", "status": "failed", "depends_on": ""}
	]}`)
	want := Imported{Added: 4, Bare: 3, Missing: []string{"7 depends on gone"}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	var lines []string
	for _, task := range list(t, s).Tasks {
		lines = append(lines, strings.Join([]string{task.ID, task.Title, task.Status, task.Priority, strings.Join(task.DependsOn, ",")}, "|"))
	}
	if diff := cmp.Diff([]string{"login|Log in|completed|P0|", "7|Pay|pending|P1|login,gone", "ship|Ship it|pending|P2|7", "old||failed|P2|"}, lines); diff != "" {
		t.Errorf("the tasks are otherwise (-want +got):\n%s", diff)
	}
	if first := list(t, s).Tasks[0]; first.Description != "Log in\nby mail" || len(first.Steps) != 2 {
		t.Errorf("of what is to be done is left: %+v", first)
	}
	file := text(t, s, FileName)
	for _, kept := range []string{`"owner"`, `"ann"`, `"Log in\nby mail"`, `"steps"`, `"project": "x"`, `"id": "7"`} {
		if !json.Valid([]byte(file)) || !strings.Contains(file, kept) {
			t.Errorf("%s is gone:\n%s", kept, file)
		}
	}
}

// TestAnImportLeavesAloneWhatTheTaskFileHas: what the format defines, what stands there already, and what was imported.
func TestAnImportLeavesAloneWhatTheTaskFileHas(t *testing.T) {
	const before = `{"version": 2, "rules": ["old"], "same": {"a": 1}, "tasks": [5, {"id": "f1", "title": "Mine", "description": "One", "x": 1}]}` + "\n"
	s := storeWith(t, before)
	const file = `{"session_count": 9, "version": 7, "rules": ["new"], "same": {"a":1}, "tasks": [], "note": 1, "note": "kept",
		"features": [{"id": "f1", "description": "One", "status": "done"}]}`
	want := Imported{There: []string{"f1"}, LeftOut: []string{"session_count", "version", "rules", "tasks"}}
	for range 2 { // the second time there is nothing new at all
		got, err := importing(t, s, file)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		if is := text(t, s, FileName); is != strings.Replace(before, "}]}", `}], "note": "kept"}`, 1) {
			t.Errorf("the file says %s", is)
		}
	}
	if backup := text(t, s, BackupName); backup != before {
		t.Errorf("what changed nothing made a backup: %s", backup)
	}
}

func TestAnImportIntoADamagedFileKeepsTheGoodBackup(t *testing.T) {
	s := storeWith(t, `{"tasks": [`)
	write(t, s, BackupName, `{"tasks": [{"id": "a"}]}`)
	if got, err := importing(t, s, `{"features": [{"id": "b"}]}`); err != nil || got.Added != 1 || !strings.Contains(s.Repaired(), "was restored") {
		t.Errorf("%+v, %v, %q", got, err, s.Repaired())
	}
	if l := list(t, s); len(l.Tasks) != 2 || text(t, s, BackupName) != `{"tasks": [{"id": "a"}]}` {
		t.Errorf("%+v, backup %s", l.Tasks, text(t, s, BackupName))
	}
}

func TestWhatIsNoListOfFeaturesAddsNothing(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no JSON":               {"{", "unexpected end"},
		"a list":                {`[{"id": "a"}]`, `it has no features[], as in {"features"`},
		"features of a number":  {`{"features": 7}`, `it has no features[], as in {"features"`},
		"no features":           {`{"tasks": []}`, "no features[]"},
		"too deep":              {`{"features": [], "x": ` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`, "max depth"},
		"a feature of a number": {`{"features": [1]}`, "no object"},
		"no id":                 {`{"features": [{"id": "new"}, {"status": "done"}]}`, "no id"},
		"another task's id":     {`{"features": [{"id": "new"}, {"id": "task-001", "title": "Else"}]}`, "task-001 is in the list already, as another task (Mine)"},
		"an id twice":           {`{"features": [{"id": "new"}, {"id": "new"}]}`, "two features have the id new"},
	} {
		t.Run(name, func(t *testing.T) {
			const before = `{"tasks": [{"id": "task-001", "title": "Mine"}]}`
			s := storeWith(t, before)
			if _, err := importing(t, s, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want one with %q", err, c.want)
			}
			if is := text(t, s, FileName); is != before {
				t.Errorf("the file says %s", is)
			}
		})
	}
}
