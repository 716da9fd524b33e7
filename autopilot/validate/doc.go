// Package validate runs the commands that say whether a project is well, and decides what they showed.
//
// Find and FindNear give the commands: those of the configuration, or else what follows from go.mod, package.json and the
// like. Runner.Run runs one, has package results read its output while it is written, and returns the Evidence with its
// Outcome. Runner.ValidateD does the same for the repository's own scripts. NoWorse compares a run with the one before the
// work began, Fewer finds tests that no longer run, and Runner.Try runs failed tests again to tell flakes from failures.
//
//	found, err := validate.Find(root)
//	evidence := validate.Runner{Now: time.Now}.Run(ctx, root, found[0])
//
// It never takes a claim for a result, never changes a file of the project by itself, and has no error for a command that
// failed: whatever keeps it from checking is an outcome too.
package validate
