// Package integrity says of the files of a change what no run shows: that one steers what is checked, such as CI, linters,
// thresholds, a validation command that can no longer fail; that one lies outside of the plan, or is no source at all. RoleOf
// says what a file has to do with judging; package proof runs what judged before.
//
// Integrity takes the changed files, before and after, with what the plan allows to change, and returns findings. What decides
// as a whole is in the tables of guarded.go and steers.go, what does in a part in settings.go, parts.go and makeparts.go.
//
//	findings := integrity.Integrity(changes, integrity.Allowed{Files: task.Files}, scripts...)
//
// It never runs a test or a command, reads nothing but what it is handed, and puts nothing back: what a finding leads to is
// the engine's decision.
package integrity
