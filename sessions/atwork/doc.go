// Package atwork knows what a live run does at this moment, and keeps it in now.json for other processes.
//
// A Board is told by the run (it is a journal.Watcher) and read by whoever shows the run in the same process:
//
//	board := atwork.New(h.Now)
//	journal.Watch = board
//	go board.Keep(ctx, h.Pause, func(n view.Now) { _ = sessions.WriteNow(dir, n) })
//	<-board.Changed() // then draw board.Now()
//
// It decides nothing, and no run reads it.
package atwork
