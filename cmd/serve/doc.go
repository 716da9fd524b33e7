// Package serve shows sessions in a browser, and takes answers there. It is a process of its own, which reads the sessions' files and
// runs the commands that a person would type: a run doesn't know of it.
//
//   - door.go: who is let in, who may send a form, and what every response tells a browser
//   - limits.go: how much comes to the door at once; phone.go: lets another device in
//   - sites.go: the sessions that are served, each read once for all who look at it; trees.go: in which working trees they are
//   - pages.go, texts.go: what people see, by the templates in pages/; answers.go: what they send
//   - api.go, events.go: the same as JSON, at once and as the session goes on
package serve
