// Package machine is the pure core of autopilot: what state a session is in, what may happen there, and what comes
// next. It has no clock, no I/O, no goroutine and no randomness; all of that reaches it through events. Two literals
// (Edges and Steps in table.go) say what may follow what, and everything else is derived from them.
//
// Here are the State and the Event, the tables, and what only reads them. What an event changes is in package transition.
// A driver repeats: Next tells the step, the driver does it and reports an Event, transition.Apply returns the new State.
// The driver journals an event before it acts on the state that the event leads to.
package machine
