package bench

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
	"autopilot/sessions/storage"
)

// newSession begins a session in a repository and goes on until its journal has so many events.
func newSession(b *testing.B, repo string, first machine.State, events int) {
	b.Helper()
	s, err := sessions.Create(sessionIn(repo), machine.Event{Type: machine.Created, Initial: &first}, sessions.Options{Now: time.Now, Disk: storage.PassingDisk{}})
	if err != nil {
		b.Fatal(err)
	}
	lengthen(b, s, events)
}

// lengthen applies events of the kind that every session has, until there are so many, and closes the session.
func lengthen(b *testing.B, s *sessions.Session, events int) {
	b.Helper()
	for revision := int64(0); revision < int64(events); {
		state, err := s.Apply(machine.Event{Type: machine.Used, Usage: &machine.Usage{InputTokens: 1_000, OutputTokens: 100}})
		if err != nil {
			b.Fatal(err)
		}
		revision = state.Revision
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
}

func sessionIn(repo string) string { return filepath.Join(repo, ".harness", "sessions", "spec") }

// halfway is the state of a session in the middle of a spec: half of its phases are over, the present one has ten tasks.
func halfway(phases int) machine.State {
	began := time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)
	passed := true
	s := machine.State{
		SessionID: "0123456789abcdef", SessionSlug: "spec", SessionDir: ".harness/sessions/spec", SpecPath: "docs/spec.md",
		RigorLevel: machine.Standard, CurrentState: machine.Execute, Step: machine.StepPick, CurrentPhase: phases / 2,
	}
	for i := range phases {
		p := machine.Phase{Number: fmt.Sprint(i + 1), Name: fmt.Sprintf("Part %d of the work", i+1), Complexity: machine.Medium, Status: machine.PhasePending}
		if i < phases/2 {
			p.Status, p.StartedAt, p.PlanPath = machine.PhaseDone, &began, fmt.Sprintf("docs/plans/part-%d-plan.md", i+1)
			s.History = append(s.History, machine.HistoryEntry{
				Phase: i, Name: p.Name, StartedAt: began, CompletedAt: began.Add(time.Hour), TasksCompleted: 10, VerificationPassed: &passed, Outcome: "complete",
			})
			s.Decisions = append(s.Decisions, machine.Decision{
				Phase: i, State: machine.ApprovePlan, Decision: "auto_approved_plan", Reason: "no signal fired", By: "rule", Timestamp: began,
			})
		}
		s.Phases = append(s.Phases, p)
	}
	s.Phases[s.CurrentPhase].Status, s.Phases[s.CurrentPhase].StartedAt = machine.PhaseInProgress, &began
	s.Tasks = pending(10)
	return s
}

func pending(n int) []machine.Task {
	tasks := make([]machine.Task, n)
	for i := range tasks {
		tasks[i] = machine.Task{
			ID: fmt.Sprintf("task-%03d", i+1), Title: strings.Repeat("a title ", 8), Status: machine.TaskPending, Validation: "go test ./...",
		}
	}
	return tasks
}
