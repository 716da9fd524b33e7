package taskfile

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"autopilot/autopilot/machine"
)

// sizes are the lengths of lists that are measured: time has to grow with the length, not with its square.
var sizes = []int{10, 100, 1_000, 10_000}

// long is a list in which a third is done, and each task waits for an earlier one.
func long(n int) TaskList {
	l := TaskList{Version: 2, Created: &noon, Config: blankList().Config}
	l.Config.ConcurrencyMode = Concurrent
	for i := range n {
		t := blankTask()
		t.ID, t.Title, t.Priority = machine.TaskID(i+1), fmt.Sprintf("Add the %d. of the many endpoints", i+1), "P1"
		t.Validation = ListedValidation{Command: "go test ./... -run TestEndpoint", TimeoutSeconds: 300}
		if i > 0 {
			t.DependsOn = []string{machine.TaskID(i/2 + 1)}
		}
		if i < n/3 {
			t.Status, t.CompletedAt = machine.TaskCompleted, &noon
		}
		l.Tasks = append(l.Tasks, t)
	}
	return l
}

func longStore(b *testing.B, n int) *Store {
	b.Helper()
	s := storeIn(b, b.TempDir())
	if err := s.Create(long(n)); err != nil {
		b.Fatal(err)
	}
	return s
}

func BenchmarkClaim(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := longStore(b, n)
			for i := 0; b.Loop(); i++ {
				err := s.Update(b.Context(), func(l *TaskList) error {
					t, err := l.Claim(Claiming{Worker: "w1", Base: fmt.Sprintf("%07x", i), Now: noon, Lease: time.Hour})
					if err != nil {
						return err
					}
					return l.GiveBack(t.ID, "w1")
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := longStore(b, n)
			for b.Loop() {
				if _, err := s.Read(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkAnchor reads and decodes the same file with encoding/json.
func BenchmarkAnchor(b *testing.B) {
	s := longStore(b, 10_000)
	for b.Loop() {
		var l TaskList
		data, err := os.ReadFile(s.Path())
		if err != nil || json.Unmarshal(data, &l) != nil {
			b.Fatal(err)
		}
	}
}
