// Package hooks answers the hooks that an agent program runs on its way (Claude Code's Stop, SessionStart, TeammateIdle,
// SubagentStop) from a task file (DESIGN §6), and hands out its tasks: claim and renew.
//
// What each hook says is decided by a pure function of the input and the task list; Hooks does the reading and writing
// around it. A hook never fails: whatever it is handed and whatever it finds, it answers with exit code 0, or with 2
// where that keeps a teammate at work.
package hooks
