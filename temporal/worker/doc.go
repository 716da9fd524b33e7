// Package worker does the steps of sessions on one machine, with the engine of one machine.
//
// A call goes: Worker.Play takes a free clone of the repository, lays the session out in it as the hub has it, and has the engine do one
// step. Each event goes to the workflow first (store.Apply), once the hub has what it names; then to the session's folder in the clone.
// So a worker that is killed leaves what a killed run leaves, and whoever goes on does so as a resumed run.
package worker
