// Package sites reads the sessions that autopilot serve shows, each once for all who look at it: where they are, what they are at,
// the records of their agent runs, and the comments that go with the next answer.
package sites
