// Package worktree makes a new working tree ready to work in: it copies the ignored paths that the configuration names, runs
// the setup, and says what the tree lacks all the same, such as packages, submodules or hooks.
//
// A call goes: EnsureSetup for a tree that stays, Prepare for one that is removed again, EnsurePackages for one that has to do
// without a setup; where a check then fails in such a tree, MissingDependencies tells a failure of the work from a package that
// was never brought there.
//
// It never makes or removes a working tree (autopilot/git does), and never changes the one that it copies from.
package worktree
