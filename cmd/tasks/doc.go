// Package tasks is the command tasks with its subcommands, which work through harness-tasks.json, and the command hook, which
// answers the hooks of an agent program from the same file.
//
// It has no rules of its own: sessions/taskfile knows what a task file may hold and keeps it on the disk, autopilot/tasks
// does the work, sessions/hooks gives the answers. A command here finds the file, reads flags, and shows what came of it.
//
//	root.AddCommand(tasks.New(host), tasks.NewHook(host))
package tasks
