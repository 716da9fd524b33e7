package tasks

import (
	"github.com/spf13/cobra"

	"autopilot/cmd/console"
)

// New is the command tasks.
func New(h *console.Host) *cobra.Command {
	c := &cobra.Command{
		Use: "tasks", Short: "Work through a task file (harness-tasks.json), without a spec",
		Long: "Works through harness-tasks.json: a list of tasks with dependencies, priorities and a validation each. run has agents do\n" +
			"them one by one; the other commands are for people, and for agents that work through the list by themselves.",
		Example: "  autopilot tasks init\n  autopilot tasks add \"Add rate limiting\" --validation \"go test ./limit\"\n  autopilot tasks run",
	}
	c.AddCommand(newTasksInit(h), newTasksAdd(h), newTasksList(h), newTasksStatus(h), newTasksRun(h), newTasksClaim(h), newTasksRenew(h),
		newTasksCheckpoint(h), newTasksValidate(h), newTasksComplete(h), newTasksFail(h), newTasksImport(h))
	return c
}
