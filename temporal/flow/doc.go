// Package flow runs a session as a Temporal workflow. Every event goes through the core here, and nowhere else; whatever looks at
// a repository, an agent or a disk is an activity, which gets an Act and returns what happened. So the state and the journal are
// those that one machine would have.
package flow
