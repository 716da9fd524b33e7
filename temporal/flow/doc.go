// Package flow runs a session as a Temporal workflow. The workflow is the session's journal: every event goes through the core here,
// and nowhere else. It says which step is due, and an activity on some machine does the step, with the engine of one machine. Each
// event of that engine is an update of the workflow before its effect begins, as one machine writes it to the disk first.
package flow
