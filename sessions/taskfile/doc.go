// Package taskfile keeps a stand-alone list of tasks: harness-tasks.json, its log harness-progress.txt and the markers
// beside them.
//
// TaskList has the rules: which task comes next, who has a lease on it, what an end of it means. They are pure: no clock,
// no files. Store reads and changes the file. Other programs, hooks and people write it at the same time, so that each
// change is one short transaction under the lock folder that they all know: Update hands the list to a function and
// writes what that made of it.
//
// What this program does not know stays as it stands in the file. It never runs a task, and knows nothing of sessions.
package taskfile
