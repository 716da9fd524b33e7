package tasks

import (
	"github.com/spf13/cobra"

	"autopilot/cmd/console"
)

// New is the command tasks.
func New(h *console.Host) *cobra.Command {
	c := &cobra.Command{
		Use: "tasks", Short: "Run a list of tasks (harness-tasks.json) without a spec",
		Long: "Works on harness-tasks.json: a list of tasks, each with dependencies, a priority and a validation command. tasks run gives\n" +
			"them to agents one by one. The other commands are for people, and for agents that work through the list on their own.",
		Example: "  autopilot tasks init\n  autopilot tasks add \"Add rate limiting\" --validation \"go test ./limit\"\n  autopilot tasks run",
	}
	c.AddCommand(newTasksInit(h), newTasksAdd(h), newTasksList(h), newTasksStatus(h), newTasksRun(h), newTasksClaim(h), newTasksRenew(h),
		newTasksCheckpoint(h), newTasksValidate(h), newTasksComplete(h), newTasksFail(h), newTasksImport(h))
	return c
}
