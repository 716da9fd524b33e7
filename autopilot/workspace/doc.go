// Package workspace guards a working tree while somebody else is at work in it: it remembers the user's uncommitted files,
// the branch and the refs, what steers git and the tests, and the files that decide how autopilot works, and restores
// afterwards what an agent had no business with. What changed in the user's home is reported alone (Home).
//
// A call goes: RepoGuard.Capture before the dispatch returns a RepoSnapshot, which can be kept as JSON; RepoGuard.Restore
// compares afterwards, restores and returns the findings, in the same process or, after a kill, in a later one. Violations
// tells the same without touching anything, while the agent is still at work.
//
// It never commits, never decides whether an attempt counts, and knows neither sessions nor task lists.
package workspace
