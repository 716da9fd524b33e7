// Package transition applies events to the state of a session: Apply takes the state and an event, and returns the state
// that the event leads to, or says why the event may not happen. It is as pure as package machine, whose tables it keeps to:
// no clock, no I/O, no goroutine, no randomness. It never changes the state that it is given, and never decides when an
// event happens.
//
// Each state is a value around a move, which is one application of an event: planning, executing, verifying and so on say
// what the events of their steps do. What several of them need, such as the end of a dispatch, is a value too. After the
// event did its work, apply.go compares where it led to with the table and enters the state that an edge led to.
package transition
