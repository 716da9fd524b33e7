package tasklist

import (
	"time"

	"autopilot/autopilot/machine"
)

// The keys of the format. What has no row here is not known, and stays as it is.
var (
	validationFields = fieldsOf(
		plainly("command", func(v *machine.ListedValidation) *string { return &v.Command }, textOf),
		plainly("timeout_seconds", func(v *machine.ListedValidation) *int { return &v.TimeoutSeconds }, countOf),
	)
	cleanupFields = fieldsOf(
		maybe("cleanup", false, func(c *machine.ListedCleanup) **string { return &c.Cleanup }, textOf, same),
	)
	configFields = fieldsOf(
		plainly("concurrency_mode", func(c *machine.ListConfig) *string { return &c.ConcurrencyMode }, wordOf),
		plainly("max_tasks_per_session", func(c *machine.ListConfig) *int { return &c.MaxTasksPerSession }, countOf),
		plainly("max_sessions", func(c *machine.ListConfig) *int { return &c.MaxSessions }, countOf),
	)
	taskFields = fieldsOf(
		plainly("id", func(t *machine.ListedTask) *string { return &t.ID }, wordOf),
		plainly("title", func(t *machine.ListedTask) *string { return &t.Title }, wordOf),
		plainly("description", func(t *machine.ListedTask) *string { return &t.Description }, wordOf),
		listing("steps", func(t *machine.ListedTask) *[]string { return &t.Steps }, linesOf, same),
		plainly("status", func(t *machine.ListedTask) *string { return &t.Status }, wordOf),
		plainly("priority", func(t *machine.ListedTask) *string { return &t.Priority }, wordOf),
		listing("depends_on", func(t *machine.ListedTask) *[]string { return &t.DependsOn }, dependencies, same),
		plainly("attempts", func(t *machine.ListedTask) *int { return &t.Attempts }, countOf),
		plainly("max_attempts", func(t *machine.ListedTask) *int { return &t.MaxAttempts }, countOf),
		maybe("started_at_commit", false, func(t *machine.ListedTask) **string { return &t.StartedAtCommit }, wordOf, same),
		within("validation", func(t *machine.ListedTask) *machine.ListedValidation { return &t.Validation }, validationFields),
		within("on_failure", func(t *machine.ListedTask) *machine.ListedCleanup { return &t.OnFailure }, cleanupFields),
		listing("changes_tests", func(t *machine.ListedTask) *[]string { return &t.ChangesTests }, linesOf, same),
		listing("error_log", func(t *machine.ListedTask) *[]string { return &t.ErrorLog }, linesOf, same),
		listing("checkpoints", func(t *machine.ListedTask) *[]machine.Milestone { return &t.Checkpoints }, milestones, sameMilestone),
		maybe("completed_at", false, func(t *machine.ListedTask) **time.Time { return &t.CompletedAt }, timeOf, time.Time.Equal),
		maybe("claimed_by", true, func(t *machine.ListedTask) **string { return &t.ClaimedBy }, wordOf, same),
		maybe("lease_expires_at", true, func(t *machine.ListedTask) **time.Time { return &t.LeaseExpiresAt }, timeOf, time.Time.Equal),
		maybe("claimed_at", true, func(t *machine.ListedTask) **time.Time { return &t.ClaimedAt }, timeOf, time.Time.Equal),
		maybe("failed_at", true, func(t *machine.ListedTask) **time.Time { return &t.FailedAt }, timeOf, time.Time.Equal),
		plainly("commit", func(t *machine.ListedTask) *string { return &t.Commit }, wordOf),
		plainly("outages", func(t *machine.ListedTask) *int { return &t.Outages }, countOf),
	)
	milestoneFields = fieldsOf(
		plainly("step", func(m *machine.Milestone) *int { return &m.Step }, countOf),
		plainly("total", func(m *machine.Milestone) *int { return &m.Total }, countOf),
		plainly("description", func(m *machine.Milestone) *string { return &m.Description }, wordOf),
		plainly("timestamp", func(m *machine.Milestone) *time.Time { return &m.Timestamp }, timeOf),
	)
	listFields = fieldsOf(
		plainly("version", func(l *machine.TaskList) *int { return &l.Version }, countOf),
		maybe("created", false, func(l *machine.TaskList) **time.Time { return &l.Created }, timeOf, time.Time.Equal),
		within("session_config", func(l *machine.TaskList) *machine.ListConfig { return &l.Config }, configFields),
		plainly("session_count", func(l *machine.TaskList) *int { return &l.SessionCount }, countOf),
		maybe("last_session", false, func(l *machine.TaskList) **time.Time { return &l.LastSession }, timeOf, time.Time.Equal),
	)
)

// blankTask is a task of which the file says nothing.
func blankTask() machine.ListedTask {
	return machine.ListedTask{Status: machine.TaskPending, MaxAttempts: machine.DefaultListedAttempts}
}

// blankList is a list of which the file says nothing.
func blankList() machine.TaskList {
	return machine.TaskList{Config: machine.ListConfig{
		ConcurrencyMode:    machine.Exclusive,
		MaxTasksPerSession: machine.DefaultTasksPerSession,
		MaxSessions:        machine.DefaultSessions,
	}}
}

// dependencies reads depends_on. What is neither a list nor null cannot be met: it counts as one dependency on a task
// that no list has.
func dependencies(raw []byte) []string {
	if raw[0] != '[' && string(raw) != "null" {
		return []string{machine.NoDependencyList}
	}
	return linesOf(raw)
}

func milestones(raw []byte) []machine.Milestone {
	var all []machine.Milestone
	eachOf(raw, func(e []byte) {
		var m machine.Milestone
		milestoneFields.readAll(e, &m)
		all = append(all, m)
	})
	return all
}

func sameMilestone(a, b machine.Milestone) bool {
	a.Timestamp, b.Timestamp = a.Timestamp.UTC(), b.Timestamp.UTC()
	return a == b
}
