package taskfile

import (
	"time"

	"autopilot/autopilot/machine"
)

// The keys of the format. What has no row here is not known, and stays as it is.
var (
	validationFields = fieldsOf(
		plainly("command", func(v *ListedValidation) *string { return &v.Command }, textOf),
		plainly("timeout_seconds", func(v *ListedValidation) *int { return &v.TimeoutSeconds }, countOf),
	)
	cleanupFields = fieldsOf(
		maybe("cleanup", false, func(c *ListedCleanup) **string { return &c.Cleanup }, textOf, same),
	)
	configFields = fieldsOf(
		plainly("concurrency_mode", func(c *ListConfig) *string { return &c.ConcurrencyMode }, wordOf),
		plainly("max_tasks_per_session", func(c *ListConfig) *int { return &c.MaxTasksPerSession }, countOf),
		plainly("max_sessions", func(c *ListConfig) *int { return &c.MaxSessions }, countOf),
	)
	taskFields = fieldsOf(
		plainly("id", func(t *ListedTask) *string { return &t.ID }, wordOf),
		plainly("title", func(t *ListedTask) *string { return &t.Title }, wordOf),
		plainly("description", func(t *ListedTask) *string { return &t.Description }, wordOf),
		listing("steps", func(t *ListedTask) *[]string { return &t.Steps }, linesOf, same),
		plainly("status", func(t *ListedTask) *string { return &t.Status }, wordOf),
		plainly("priority", func(t *ListedTask) *string { return &t.Priority }, wordOf),
		listing("depends_on", func(t *ListedTask) *[]string { return &t.DependsOn }, dependencies, same),
		plainly("attempts", func(t *ListedTask) *int { return &t.Attempts }, countOf),
		plainly("max_attempts", func(t *ListedTask) *int { return &t.MaxAttempts }, countOf),
		maybe("started_at_commit", false, func(t *ListedTask) **string { return &t.StartedAtCommit }, wordOf, same),
		within("validation", func(t *ListedTask) *ListedValidation { return &t.Validation }, validationFields),
		within("on_failure", func(t *ListedTask) *ListedCleanup { return &t.OnFailure }, cleanupFields),
		listing("changes_tests", func(t *ListedTask) *[]string { return &t.ChangesTests }, linesOf, same),
		listing("error_log", func(t *ListedTask) *[]string { return &t.ErrorLog }, linesOf, same),
		listing("checkpoints", func(t *ListedTask) *[]Milestone { return &t.Checkpoints }, milestones, sameMilestone),
		maybe("completed_at", false, func(t *ListedTask) **time.Time { return &t.CompletedAt }, timeOf, time.Time.Equal),
		maybe("claimed_by", true, func(t *ListedTask) **string { return &t.ClaimedBy }, wordOf, same),
		maybe("lease_expires_at", true, func(t *ListedTask) **time.Time { return &t.LeaseExpiresAt }, timeOf, time.Time.Equal),
		maybe("claimed_at", true, func(t *ListedTask) **time.Time { return &t.ClaimedAt }, timeOf, time.Time.Equal),
		maybe("failed_at", true, func(t *ListedTask) **time.Time { return &t.FailedAt }, timeOf, time.Time.Equal),
		plainly("commit", func(t *ListedTask) *string { return &t.Commit }, wordOf),
		plainly("outages", func(t *ListedTask) *int { return &t.Outages }, countOf),
	)
	milestoneFields = fieldsOf(
		plainly("step", func(m *Milestone) *int { return &m.Step }, countOf),
		plainly("total", func(m *Milestone) *int { return &m.Total }, countOf),
		plainly("description", func(m *Milestone) *string { return &m.Description }, wordOf),
		plainly("timestamp", func(m *Milestone) *time.Time { return &m.Timestamp }, timeOf),
	)
	listFields = fieldsOf(
		plainly("version", func(l *TaskList) *int { return &l.Version }, countOf),
		maybe("created", false, func(l *TaskList) **time.Time { return &l.Created }, timeOf, time.Time.Equal),
		within("session_config", func(l *TaskList) *ListConfig { return &l.Config }, configFields),
		plainly("session_count", func(l *TaskList) *int { return &l.SessionCount }, countOf),
		maybe("last_session", false, func(l *TaskList) **time.Time { return &l.LastSession }, timeOf, time.Time.Equal),
	)
)

// blankTask is a task of which the file says nothing.
func blankTask() ListedTask {
	return ListedTask{Status: machine.TaskPending, MaxAttempts: DefaultListedAttempts}
}

// blankList is a list of which the file says nothing.
func blankList() TaskList {
	return TaskList{Config: ListConfig{
		ConcurrencyMode:    Exclusive,
		MaxTasksPerSession: DefaultTasksPerSession,
		MaxSessions:        DefaultSessions,
	}}
}

// dependencies reads depends_on. What is neither a list nor null cannot be met: it counts as one dependency on a task
// that no list has.
func dependencies(raw []byte) []string {
	if raw[0] != '[' && string(raw) != "null" {
		return []string{NoDependencyList}
	}
	return linesOf(raw)
}

func milestones(raw []byte) []Milestone {
	var all []Milestone
	eachOf(raw, func(e []byte) {
		var m Milestone
		milestoneFields.readAll(e, &m)
		all = append(all, m)
	})
	return all
}

func sameMilestone(a, b Milestone) bool {
	a.Timestamp, b.Timestamp = a.Timestamp.UTC(), b.Timestamp.UTC()
	return a == b
}
