// Package live shows a run while it is at work: at a terminal what is finished scrolls up and stays, and below it a few rows are
// drawn again and again; elsewhere there are lines alone. It is the command watch as well, which looks at the run of another
// process by its files.
//
// All that it draws is a view.Session and the lines of its transcript. It decides nothing, and a run goes on where nobody can
// see it.
//
//	shown := live.New(options)
//	shown.Begin(ctx)
//	defer shown.End(nil)
package live
