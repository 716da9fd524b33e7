// Package limits tells why a request to a model, or a dispatch of an agent program, came to nothing: a limit that passes, a
// quota that is used up, a server that is out of order, a key that is refused, or a crash. Only a crash spends an attempt.
//
// A call goes: a backend describes what it knows as a Trouble, and Judge returns the Verdict, with the time from which on
// another try makes sense. A Lookout says how long to leave alone a server that is out of order.
//
// It never waits, sends nothing, and reads no more of an agent's own words than their last lines.
package limits
