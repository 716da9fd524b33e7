package tasks

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions/taskfile"
)

const halfHour = 30 * time.Minute

// heldFile is a task file with one task, which w1 has in progress.
type heldFile struct {
	File
	mu   sync.Mutex
	list taskfile.TaskList
}

func (f *heldFile) Update(_ context.Context, change func(*taskfile.TaskList) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return change(&f.list)
}

func (f *heldFile) Read() (taskfile.TaskList, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.list, nil
}

// sleeper is a worker at work on a machine that can be suspended: then the clock on the wall goes on, and no timer does.
type sleeper struct {
	*Loop
	file   *heldFile
	asleep atomic.Int64 // a time.Duration
}

// newSleeper is for a bubble, whose clock it takes.
func newSleeper(t *testing.T) *sleeper {
	t.Helper()
	s := &sleeper{file: &heldFile{}}
	s.Loop = &Loop{
		File: s.file, Now: func() time.Time { return time.Now().Round(0).Add(time.Duration(s.asleep.Load())) }, After: time.After,
		Worker: "w1", Settings: Settings{Lease: halfHour}, Line: &Line{},
	}
	s.file.list = taskfile.TaskList{Config: taskfile.ListConfig{ConcurrencyMode: taskfile.Concurrent}, Tasks: []taskfile.ListedTask{{ID: "a", Status: machine.TaskPending, MaxAttempts: 3}}}
	if _, err := s.file.list.Claim(taskfile.Claiming{Worker: "w1", Task: "a", Now: s.Now(), Lease: halfHour}); err != nil {
		t.Fatal(err)
	}
	return s
}

// left is how long the claim still holds.
func (s *sleeper) left() time.Duration {
	s.file.mu.Lock()
	defer s.file.mu.Unlock()
	return s.file.list.Tasks[0].LeaseExpiresAt.Sub(s.Now())
}

func TestAClaimIsRenewedAtOnceAfterAWakeUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSleeper(t)
		if err := s.parts().claims.hold(t.Context(), s.file.list.Tasks[0], func(context.Context) error {
			time.Sleep(time.Second)
			s.asleep.Store(int64(8 * time.Hour))
			if s.left() > 0 {
				t.Error("the claim does not run out while the machine sleeps")
			}
			time.Sleep(renewalLook)
			synctest.Wait()
			if left := s.left(); left < halfHour-renewalLook {
				t.Errorf("%s after the wake-up the claim holds for %s", renewalLook, left)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
	})
}

func TestAClaimIsRenewedEachThirdOfItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSleeper(t)
		if err := s.parts().claims.hold(t.Context(), s.file.list.Tasks[0], func(context.Context) error {
			time.Sleep(halfHour/3 - time.Second)
			synctest.Wait()
			if left := s.left(); left > 2*halfHour/3+2*time.Second {
				t.Errorf("it was renewed too soon: it holds for %s", left)
			}
			time.Sleep(time.Second + renewalLook)
			synctest.Wait()
			if left := s.left(); left < halfHour-renewalLook {
				t.Errorf("it was not renewed: it holds for %s", left)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
	})
}

func TestAClaimThatIsAnothersEndsTheWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSleeper(t)
		err := s.parts().claims.hold(t.Context(), s.file.list.Tasks[0], func(ctx context.Context) error {
			other := "w2"
			s.file.mu.Lock()
			s.file.list.Tasks[0].ClaimedBy = &other
			s.file.mu.Unlock()
			<-ctx.Done()
			return ctx.Err()
		})
		if _, ok := errors.AsType[*lostError](err); !ok {
			t.Errorf("it ended with %v", err)
		}
	})
}
