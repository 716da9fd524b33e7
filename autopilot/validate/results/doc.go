// Package results knows the test programs: the commands that run them, what their output means, and how one of their
// tests is run by itself.
//
// Each program is a row of Tools, and has a file for its reader and its way of running one test. NewTestReader returns a
// writer for an output of any length. ReadersOf tells from a command which readers apply, FindReports which files of
// JUnit XML the command will write. When the command has ended, TestReader.Report gives the tests, by name, with their
// results. Alone derives the command that runs one of them.
//
//	r, files := results.NewTestReader(folder, results.ReadersOf(folder, command)...), results.FindReports(folder, command)
//	// run the command with its output to r
//	report := r.Report(files)
//
// It never runs a command, and never decides whether a validation passed: package validate does.
package results
