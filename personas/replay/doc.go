// Package replay is a chat model whose turns are written down beforehand. They
// are played through the built-in loop, so that its tools really run. The form
// of a replay file is in docs/files.md.
//
// A dispatch is found by its key and never by its prompt, and it plays from its
// first turn whenever it is made. A dispatch or a turn that is missing is an
// error that names it, and so is a turn that was not used when its dispatch
// ended. Which dispatches were never used is known only at the very end, over
// all runs: see File.Unused.
//
//	file, err := replay.Load("turns.yaml")
//	model, err := file.Model(dispatch.Key) // one conversation
//
// A Recorder writes such a file while other models work.
package replay
