// Package hub carries a session between machines by a bare git repository that all of them reach: its branch, its own refs, its
// folder, and its working trees as they are between two steps.
//
// A call goes: Open makes or takes up a worker's clone; Clone.Session fetches what the hub has of a session and lays out its folder;
// Session.Restore puts a working tree as a step left it; Session.Save gives the hub what changed since, before the event that names
// it. The run's branch is written with a lease, so that two workers never both write it; a working tree is a commit under a name of
// its content, which nobody can overwrite.
package hub
