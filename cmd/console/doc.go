// Package console is where the program meets a person and the system: the Host with its streams, its clock and its
// environment, text that fits a terminal and cannot act on it, questions and their answers, the report of a run, signals,
// and the exit code of an error.
//
// It knows no command and opens no repository. Nothing of what it prints is decided here, and only a second signal ends
// the process.
//
// A command gets the Host and uses it like this:
//
//	h.Say("Saved. The next agent run gets this note. Continue with: autopilot %s", spec) // on standard output, in its width
//	return console.UsageError("name one spec: %s", example)          // Explain prints it, ExitCode makes 2 of it
package console
