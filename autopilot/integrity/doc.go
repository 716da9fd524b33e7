// Package integrity reads a change for tests and checks that lost their force: a test that is skipped or gone, an
// assertion that cannot fail any more, a threshold that was lowered, a script of the CI that was emptied.
//
// Integrity takes the changed files, before and after, with what the plan allows to change, and returns findings. What a
// line means in a language is in the tables of patterns.go and languages.go; Go is read by its syntax tree, in the files
// go*.go.
//
//	findings := integrity.Integrity(changes, integrity.Allowed{Files: task.Files}, scripts...)
//
// It never runs a test or a command, reads nothing but what it is handed, and puts nothing back: what a finding leads to is
// the engine's decision.
package integrity
