// Package stop is the command that ends a live run of a session: at its next step, or at once.
//
// The wish goes through the session's inbox, as an answer does: the run takes it between two steps and ends with exit code 3.
// With --now the process that holds the session is interrupted as well, as by Ctrl-C. No other process ever gets a signal: the
// lock names its holder's id and when that was started.
package stop
