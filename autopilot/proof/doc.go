// Package proof shows by running what reading a change cannot: the old tests are run on the new code.
//
// A file judges where it decides whether code is right: a test, what tests rest on, a setting of the test program. Package
// integrity says it of a path. Old says which files of a change get back what they were, so that the old tests judge the new
// code, and Compare what that showed; Renamed tells names that are not there any more from what is wrong. NewTests runs the
// tests of the work on the old code. A Tree is the clean working tree in which that is run.
//
//	lacks, err := tree.Open(ctx, base)
//	answers, err := tree.OldTests(ctx, proof.Question{Base: base, Changes: changes, Commands: list})
//
// Tree.Mutate asks the other way round whether tests notice a small change of the new code.
//
// It never runs a command in the user's own working tree, and never decides what an answer leads to.
package proof
