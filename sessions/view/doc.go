// Package view makes one value of a session: what it is about, who must act, what runs now, what was done, what it cost, what
// is open. Every screen, page, report and --json draws this value and reads no state by itself.
//
// It is pure: it opens no file and has no clock. Who calls it reads the files and passes them on as Facts.
//
//	var past view.Transcript
//	sessions.Replay(dir, options, func(before machine.State, e machine.Event, after machine.State) { past.Take(before, e, after) })
//	s := view.Of(view.Facts{State: state, Past: &past, Now: now, Held: held, At: h.Now()})
//	fmt.Println(s.Headline) // approve the plan of phase 2 (Rule engine)
//
// Of gives the session, Transcript.Take the lines that an event adds to its transcript. Texts of agents are in it as they were written: who draws them
// passes them through console.Clean, or escapes them.
package view
