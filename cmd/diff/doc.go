// Package diff is the command that shows what a session changed, by git's own diff.
//
// It finds the two sides: where the session, a phase or a task begins, and where it ends, which is the working tree for what is
// at work now. Then git prints, with the user's colours and pager at a terminal. Nothing is written: files that git does not
// know yet are shown by way of a copy of the index.
package diff
