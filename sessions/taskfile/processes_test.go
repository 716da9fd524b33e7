package taskfile

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"
)

// The test binary run again with these variables is another process, which works on the list of a folder.
const (
	addVar  = "TASKLIST_TEST_ADD"
	holdVar = "TASKLIST_TEST_HOLD"
)

func TestMain(m *testing.M) {
	if root := os.Getenv(addVar); root != "" {
		if err := addTasks(context.Background(), root, fmt.Sprint("process-", os.Getpid()), 12); err != nil {
			_, _ = fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if root := os.Getenv(holdVar); root != "" {
		s := &Store{Root: root, Now: time.Now}
		_ = s.Update(context.Background(), func(*TaskList) error {
			_, _ = os.Stdout.WriteString("ready\n")
			_, _ = io.Copy(io.Discard, os.Stdin)
			return nil
		})
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// addTasks adds tasks one by one, and counts each.
func addTasks(ctx context.Context, root, name string, n int) error {
	s := &Store{Root: root, Now: time.Now, Env: patient}
	for i := range n {
		err := s.Update(ctx, func(l *TaskList) error {
			t := blankTask()
			t.ID = fmt.Sprintf("%s-%d", name, i)
			l.Tasks = append(l.Tasks, t)
			l.SessionCount++
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func TestNoChangeOfGoroutinesAndProcessesIsLost(t *testing.T) {
	t.Parallel()
	s := storeWith(t, "{}")
	lockOf(t, s)
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			if err := addTasks(t.Context(), s.Root, fmt.Sprint("goroutine-", i), 3); err != nil {
				t.Error(err)
			}
		})
	}
	for range 4 {
		all.Go(func() {
			cmd := exec.CommandContext(t.Context(), os.Args[0])
			cmd.Env = append(os.Environ(), addVar+"="+s.Root)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	all.Go(func() {
		for range 50 {
			if _, err := s.Read(); err != nil {
				t.Errorf("a reader: %v", err)
			}
		}
	})
	all.Wait()
	l, want := list(t, s), 16*3+4*12
	ids := map[string]bool{}
	for _, task := range l.Tasks {
		ids[task.ID] = true
	}
	if l.SessionCount != want || len(l.Tasks) != want || len(ids) != want {
		t.Errorf("%d counted, %d tasks, %d ids, want %d", l.SessionCount, len(l.Tasks), len(ids), want)
	}
	if got := names(t, s); !slices.Equal(got, []string{FileName, BackupName}) {
		t.Errorf("the folder holds %q", got)
	}
}

// TestAllWhoWaitForAKilledHolderGoOn: of many who find the lock of a dead process, none takes that of another.
func TestAllWhoWaitForAKilledHolderGoOn(t *testing.T) {
	t.Parallel()
	s := storeWith(t, "{}")
	path := lockOf(t, s)
	const rounds, waiters = 3, 8
	for range rounds {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), holdVar+"="+s.Root)
		in, errIn := cmd.StdinPipe()
		out, errOut := cmd.StdoutPipe()
		if err := errors.Join(errIn, errOut, cmd.Start()); err != nil {
			t.Fatal(err)
		}
		if text, _ := bufio.NewReader(out).ReadString('\n'); text != "ready\n" {
			t.Fatalf("the other process says %q", text)
		}
		var all sync.WaitGroup
		for range waiters {
			all.Go(func() {
				if err := (&Store{Root: s.Root, Now: time.Now, Env: patient}).Update(t.Context(), count); err != nil {
					t.Error(err)
				}
			})
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		all.Wait()
		_ = in.Close()
	}
	if got := list(t, s).SessionCount; got != rounds*waiters || exists(path) {
		t.Errorf("%d changes, want %d; lock there: %t", got, rounds*waiters, exists(path))
	}
}
