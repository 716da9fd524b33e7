// Package timeline tells what took time in a session, by its journal: agent runs, checks, and waits for people and limits. It draws
// them for a report and for the pages of autopilot serve. It is pure.
package timeline
