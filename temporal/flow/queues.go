package flow

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"autopilot/autopilot/machine"
)

// SessionQueue is the task queue of the workflows.
const SessionQueue = "session"

// RunQueue is where agents and checks of a repository run. A worker takes from those of its own repositories only.
func RunQueue(repository, capability string) string {
	if capability != "" {
		return "run@" + capability + "@" + repository
	}
	return "run@" + repository
}

// GitQueue is where the quick steps of a repository are done, so that they do not wait for a place beside agents.
func GitQueue(repository string) string { return "git@" + repository }

// QueueOf says which queue a step belongs to, and how long it may take. A worker that is lost is noticed by its heartbeat.
func QueueOf(job Job, step machine.Step) (queue string, longest time.Duration) {
	if step.RunsCommands() || job.Capability != "" && step.Commits() { // hooks may need it, too
		return RunQueue(job.Repository, job.Capability), 24 * time.Hour
	}
	return GitQueue(job.Repository), time.Hour
}

// lostAfter is how long a worker may be silent before somebody else gets its step, and so how long the server may be away before agents
// at work are stopped. A test sets another time when it builds the program.
var lostAfter = "2m"

// attemptsOf are those of one act. Each is an update: after so many, the step is another act, which may be one of the next run.
const attemptsOf = 25

// withOptions are those of the activity that does a step. A step is tried again for ever, if not by this activity: what a worker lacks,
// somebody puts right there, and status shows what the last one said. Where the server is set to be fair, sessions take turns at a busy queue.
func (w *session) withOptions(ctx workflow.Context, step machine.Step, attempts int32) workflow.Context {
	queue, longest := QueueOf(w.job, step)
	silence, _ := time.ParseDuration(lostAfter)
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		TaskQueue: queue, StartToCloseTimeout: longest, HeartbeatTimeout: silence, WaitForCancellation: true,
		Priority:    temporal.Priority{FairnessKey: w.s.SessionID},
		RetryPolicy: &temporal.RetryPolicy{InitialInterval: time.Second, BackoffCoefficient: 2, MaximumInterval: 30 * time.Second, MaximumAttempts: attempts},
	})
}
