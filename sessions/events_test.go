package sessions

import (
	"encoding/json"
	"strings"
	"testing"

	"autopilot/autopilot/machine"
)

func TestEventsComeAfterARevisionUpToALimit(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	apply(t, s, task("task-001"), machine.Event{Type: machine.Noted, Detail: strings.Repeat("x", 5000)}, task("task-002"))
	closed(t, s)
	write(t, read(t, dir, JournalName)+`{"rev":5,"type":"no`, dir, JournalName) // cut off by a crash
	for _, c := range []struct {
		name  string
		after int64
		limit int
		size  int
		want  []int64
	}{
		{"all of them", 0, 10, 1 << 20, []int64{1, 2, 3, 4}},
		{"those that are new", 2, 10, 1 << 20, []int64{3, 4}},
		{"no more than wanted", 1, 2, 1 << 20, []int64{2, 3}},
		{"none behind the last", 4, 10, 1 << 20, nil},
		{"one, however long it is", 2, 10, 100, []int64{3}},
		{"none that makes the page too long", 1, 10, 1000, []int64{2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			events, err := Events(dir, c.after, c.limit, c.size, options())
			if err != nil || len(events) != len(c.want) {
				t.Fatalf("%d events, %v; want %v", len(events), err, c.want)
			}
			for i, text := range events {
				var e map[string]any
				if err := json.Unmarshal(text, &e); err != nil || e["rev"] != float64(c.want[i]) || e["crc"] != nil {
					t.Errorf("event %d is %.60s (%v)", i, text, err)
				}
			}
		})
	}
	if events, err := Events(sessionDir(t), 0, 10, 100, options()); len(events) > 0 || err != nil {
		t.Errorf("without a journal: %v, %v", events, err)
	}
}
