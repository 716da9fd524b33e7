// Package autopilot is the engine: it asks the core (autopilot/machine) for the next step of a session, does it, and
// reports what happened, until the session is done or has to stop. It owns order, gates, budgets, evidence and git;
// planning, coding, verifying and reviewing are done by personas.
//
// The table acts in engine.go says who does which step; there is one file per state for what belongs to it alone.
package autopilot
