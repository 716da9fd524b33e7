package taskfile

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"
)

// FuzzTaskFile reads anything. What is a list is written unchanged byte for byte, and after a change it says what the
// changed list says, with the keys that this program does not know as they were.
func FuzzTaskFile(f *testing.F) {
	f.Add([]byte(foreign))
	f.Add(fresh(long(3)))
	f.Add([]byte(`{"tasks":[{"id":"a","status":"in_progress","claimed_by":"w","claimed_by":null},{"id":"a"},7],"tasks":[{"x":{"y":[]}}]}`))
	for _, text := range noLists {
		if len(text) < 1000 {
			f.Add([]byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := parse(data)
		if err != nil {
			return
		}
		if !json.Valid(bytes.TrimPrefix(data, []byte("\ufeff"))) {
			t.Fatal("it is no JSON")
		}
		list := readList(d.top)
		if got := d.with(&list); !bytes.Equal(got, data) {
			t.Fatalf("written unchanged: %q, want %q", got, data)
		}
		work(&list)
		written := d.with(&list)
		again, err := parse(written)
		if err != nil {
			t.Fatalf("after a change: %v in %q", err, written)
		}
		if !bytes.Equal(fresh(again.list), fresh(list)) {
			t.Fatalf("it says %+v\nwant    %+v\nin %q", again.list, list, written)
		}
		if before, after := unknownOf(t, data), unknownOf(t, written); !reflect.DeepEqual(before, after) {
			t.Fatalf("unknown were %v\nand are      %v", before, after)
		}
	})
}

// work changes a list in every way that the program does. It counts no further than files are read: no run begins there.
func work(l *TaskList) {
	further := func(n int) int { return min(n+1, maxCount) }
	l.SessionCount, l.LastSession, l.Config.MaxSessions = further(l.SessionCount), &noon, further(l.Config.MaxSessions)
	l.Reap(noon)
	l.FailUnrunnable(noon)
	for range 2 {
		t, err := l.Claim(Claiming{Worker: "w1", Base: "c0ffee", Now: noon, Lease: time.Hour})
		if err != nil {
			break
		}
		_ = l.Reach(t.ID, "w1", Milestone{Step: 1, Total: 2, Timestamp: noon}, time.Hour)
		_ = l.Fail(t.ID, "w1", "TEST_FAIL", "<red>", false, noon)
	}
	for i := range l.Tasks {
		l.Tasks[i].Attempts = min(l.Tasks[i].Attempts, maxCount)
		l.Tasks[i].Validation.TimeoutSeconds = further(l.Tasks[i].Validation.TimeoutSeconds)
		l.Tasks[i].OnFailure.Cleanup = nil
	}
	t := blankTask()
	t.ID = l.NextID()
	l.Tasks = append(l.Tasks, t)
}

// unknownOf are the unknown members of a document, of its configuration and of its tasks.
func unknownOf(t *testing.T, data []byte) any {
	t.Helper()
	var doc map[string]any
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	d.UseNumber() // some are larger than any that Go can hold
	if err := d.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	var all []any
	items, _ := doc["tasks"].([]any)
	for _, item := range items {
		task, ok := item.(map[string]any)
		if !ok {
			all = append(all, item)
			continue
		}
		if inner, ok := task["validation"].(map[string]any); ok {
			if left := without[ListedValidation](inner); len(left) > 0 {
				all = append(all, left)
			}
		}
		if left := without[ListedTask](task); len(left) > 0 {
			all = append(all, left)
		}
	}
	inner, _ := doc["session_config"].(map[string]any)
	return append(all, without[ListConfig](inner), without[TaskList](doc))
}

// without is an object without the keys of a T.
func without[T any](doc map[string]any) map[string]any {
	left := map[string]any{}
	maps.Copy(left, doc)
	for field := range reflect.TypeFor[T]().Fields() {
		key, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		delete(left, key)
	}
	return left
}
