package atwork

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"autopilot/autopilot/journal"
	"autopilot/personas"
	"autopilot/sessions/view"
)

func TestAtMostOneStateASecondIsKeptAndTheLastOneIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, begun := New(time.Now), time.Now()
		var kept []view.Now
		ctx, stop := context.WithCancel(t.Context())
		go b.Keep(ctx, personas.Sleep, func(n view.Now) { kept = append(kept, n) })
		synctest.Wait()
		b.Begin("d1", journal.Work{Task: "task-001", Persona: "executor", Idle: time.Minute})
		for n := range 95 {
			time.Sleep(100 * time.Millisecond)
			b.Said("d1", fmt.Sprint("line ", n))
		}
		time.Sleep(2 * Every)
		b.Said("d1", "")
		time.Sleep(2 * Every)
		b.End("d1")
		time.Sleep(2 * Every)
		stop()
		synctest.Wait()
		if len(kept) > 13 || len(kept) < 10 {
			t.Errorf("%d states were kept in %s", len(kept), time.Since(begun))
		}
		for i := range kept[1:] {
			if d := kept[i+1].At.Sub(kept[i].At); d < Every {
				t.Errorf("two states within %s", d)
			}
		}
		spoke := kept[len(kept)-2].Works[0]
		if spoke.LastLine != "line 94" || spoke.IdleStops.Sub(spoke.LastLineAt) != time.Minute || !spoke.LastLineAt.After(begun.Add(11*time.Second)) {
			t.Errorf("the last state of the dispatch: %+v", spoke)
		}
		if last := kept[len(kept)-1]; len(last.Works) != 0 {
			t.Errorf("the last state: %+v", last)
		}
	})
}

func TestTheRunsOwnTreeComesFirstThenLanesByTask(t *testing.T) {
	at := time.Unix(1_700_000_000, 0)
	b := New(func() time.Time { at = at.Add(time.Second); return at })
	b.Begin("c", journal.Work{Lane: "task-003", Task: "task-003", Persona: "executor"})
	b.Begin("b", journal.Work{Lane: "task-002", Task: "task-002", Persona: "executor"})
	b.Begin("a", journal.Work{Task: "task-004", Persona: "executor"})
	b.Begin("check", journal.Work{Task: "task-004", Command: "go test ./..."})
	b.Said("c", "a\x1b[31m\tb")
	var got []string
	for _, w := range b.Now().Works {
		got = append(got, w.Task+" "+w.Persona+w.Command+" "+w.LastLine)
	}
	if want := "[task-004 executor  task-004 go test ./...  task-002 executor  task-003 executor a [31m b]"; fmt.Sprint(got) != want {
		t.Errorf("got  %v\nwant %s", got, want)
	}
}
