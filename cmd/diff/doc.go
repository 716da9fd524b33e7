// Package diff is the command that shows what a session changed.
//
// It finds the two sides: where the session, a phase or a task begins, and where it ends, which is the working tree for what is
// at work now. The text is the same as agents get: git runs no program that a configuration names. Nothing is written.
package diff
