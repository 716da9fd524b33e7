package chaos

import "autopilot/personas"

// Stage knows what a persona would honestly do, and what it could spoil. It must be safe for use from several dispatches
// at once.
type Stage interface {
	// Work is the honest work of a dispatch; nth counts the dispatches of its persona in its phase, from 1.
	Work(d personas.Dispatch, nth int) (Work, error)
}

// Work is what a dispatch is to do. Paths are relative to its working tree.
type Work struct {
	Writes []Write
	Reply  personas.Reply
	Props  Props
}

// Write is a file with its whole content.
type Write struct{ Path, Text string }

// Props are what a persona that misbehaves lays its hands on.
type Props struct {
	Test, Check string   // a test, and the script that checks the work
	Users, Spec string   // absolute: a file of the user that git does not know, and the spec
	Own         []string // what the dispatch itself makes
	Earlier     []string // what other tasks made before
}
