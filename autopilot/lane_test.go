package autopilot

import (
	"context"
	"os"
	"reflect"
	"testing"
	"time"

	"autopilot/autopilot/branches"
	"autopilot/autopilot/closing"
	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/gates"
	"autopilot/autopilot/git"
	"autopilot/autopilot/guard"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/pullrequest"
	"autopilot/autopilot/validate"
	"autopilot/personas"
)

func TestALaneHasEveryPartOfTheEngine(t *testing.T) {
	set, err := personas.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	main := New(Parts{
		Journal: journal.New(nil, nil, nil, nil, nil), Records: struct{ Records }{}, Memory: struct{ Memory }{}, Seal: struct{ guard.Seal }{}, Repo: &git.Repo{},
		Checks: validate.Runner{Env: []string{"A=b"}}, Backends: struct{ dispatch.Backends }{}, Personas: set, Human: struct{ gates.Human }{},
		Inbox: struct{ Inbox }{}, Forge: struct{ pullrequest.Forge }{}, Others: func() ([]branches.Claim, error) { return nil, nil }, Roadmap: struct{ closing.Roadmap }{}, Report: struct{ Report }{}, Now: time.Now,
		Sleep: func(context.Context, time.Duration) error { return nil }, NewID: func() string { return "" }, Settings: Settings{Turns: 1},
		Spec: "spec.md", Harness: ".harness", Cache: "cache", LockFile: os.Stdin, KilledAt: time.Unix(1, 0), Mask: &personas.Mask{}, KillSeen: func() {},
		Booted: time.Now, Bring: func(context.Context) error { return nil },
	})
	lane := reflect.ValueOf(main.in(&git.Repo{}, "task-001").Parts)
	for i := range lane.NumField() {
		name := lane.Type().Field(i).Name
		if reflect.ValueOf(main.Parts).Field(i).IsZero() {
			t.Errorf("this test gives the engine no %s", name)
		}
		if lane.Field(i).IsZero() {
			t.Errorf("a lane has no %s", name)
		}
	}
}
