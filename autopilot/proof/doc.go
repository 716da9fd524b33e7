// Package proof knows what judges: which files decide whether code is right, and what a run of the tests of before on the code
// of now shows.
//
// RoleOf says it of a path, Old says which files of a change get back what they were, so that the old tests judge the new
// code, and Compare what that showed.
//
// It never runs a command, and never writes a file.
package proof
