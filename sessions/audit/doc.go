// Package audit holds what a session claims against what it recorded: its journal decides, and everything else in its
// folder has to agree with it.
//
// Session replays the journal and gives a Report. A Ledger lists the claims (a task is completed, a phase was reviewed)
// and the records on which they rest, by the events alone; the rest of the package compares the copies of the state, the
// outputs of commands, the folders of attempts, and the files that people and other tools read.
//
// It takes no lock, writes nothing, and looks at no commit: that is up to who asks.
package audit
