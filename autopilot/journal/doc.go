// Package journal is what the parts of the engine share of a session: its state, the events that change it, and what people
// are told meanwhile.
//
// A call goes: Journal.State is what the session is now; Journal.Apply hands an event to the store, which keeps it before it
// returns, and then tells what it changed: lines for people, progress.txt, and the files for other tools. Several may do so at
// once. Note, Detail and Progress tell what is no event.
//
// It never decides what comes next, and reads nothing of the repository.
package journal
