// Package autopilot is the engine: it asks the core (autopilot/machine) for the next step of a session, does it, and
// reports what happened, until the session is done or has to stop. It owns order, gates, budgets, evidence and git;
// planning, coding, verifying and reviewing are done by personas.
//
// The table acts in engine.go says who does which step: a method of the engine, or a value of parts.go that has what the step
// needs.
package autopilot
