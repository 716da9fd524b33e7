package timeline

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"autopilot/autopilot/machine"
)

// Span is something that took time, in a lane of the timeline.
type Span struct {
	Lane    string
	Start   time.Time
	End     time.Time
	Class   string // ok, failed, cut, wait
	What    string
	Phase   int
	Task    string
	Attempt int
	USD     float64
	Place   string // of an agent run: the folder of its attempts, below that of its phase
}

// purposes name what an agent run was for, where its persona does not.
var purposes = map[string]string{
	"blind": "verifier, blind checks", "final": "final review", "diagnosis": "diagnosis", "skeleton": "planner, outline", "draft": "planner, draft",
}

// laneOf is the lane of a persona.
func laneOf(persona string) string {
	switch persona {
	case "planner":
		return "Planner"
	case "executor":
		return "Executor"
	}
	return "Reviewer"
}

// classOf says how an agent run ended.
func classOf(e machine.Ended) string {
	switch {
	case e.Outcome == machine.OutcomeReply && e.Reply != nil && e.Reply.Status == "done":
		return "ok"
	case e.Outcome == machine.OutcomeInterrupted || e.Outcome == machine.OutcomeLimited || e.Outcome == machine.OutcomeWaiting:
		return "cut"
	}
	return "failed"
}

// TaskNumber is a task with its phase: 1.2; of the final review: final.2.
func TaskNumber(phase int, task string) string {
	where := "final"
	if phase > 0 {
		where = strconv.Itoa(phase)
	}
	n, _ := strconv.Atoi(strings.TrimPrefix(task, "task-"))
	return fmt.Sprintf("%s.%d", where, n)
}
