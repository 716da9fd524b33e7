// Package serve shows sessions in a browser, and takes answers there. It is a process of its own, which reads the sessions' files and
// runs the commands that a person would type: a run doesn't know of it.
//
//   - door/: who is let in, who may send a form, how much comes at once; phone.go lets another device in
//   - sites/: the sessions that are served, each read once for all who look at it, with their records
//   - routes.go: the addresses; openapi.yaml describes those for programs
//   - pages.go, texts.go, tasks.go: what people see, by the templates in pages/; answers.go, comments.go: what they send
//   - api.go, events.go: the same as JSON, at once and as the session goes on
package serve
