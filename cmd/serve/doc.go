// Package serve shows sessions in a browser. It is a process of its own, which only reads the sessions' files: a run doesn't know
// of it.
//
//   - door.go: who is let in, and what every answer says to a browser
//   - sites.go: the sessions that are served, each read once for all who look at it
//   - pages.go: what people see; api.go and events.go: the same as JSON, at once and as it goes on
package serve
