// Package worker does the steps of sessions on one machine, with the engine of one machine.
//
// A call goes: Worker.Play (play.go) takes a free clone of the repository, lays the session out in it as the hub has it (desk.go), and
// has the engine do one step. Each event goes to the workflow first (record.go), once the hub has what it names (give.go); then to the
// session's folder in the clone. So a worker that is killed leaves what a killed run leaves, and whoever goes on does so as a resumed run.
// Meanwhile heartbeats tell the server what is at work (heart.go, beat.go). What calls cost is recorded rarely (used.go), and outcome.go
// says what the workflow learns of the end.
package worker
