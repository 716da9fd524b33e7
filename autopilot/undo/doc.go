// Package undo sets a session and its branch back to where a phase began, and takes that back.
//
// A call goes: Past is filled from the session's journal, Plan or Back say what would go or why nothing may, and Do does it. Do
// journals what is intended, keeps the branch's end under a ref, moves the branch, resets index and working tree, and journals
// that it is done. Each of these steps can be repeated: after a kill Finish does what is missing, from a run or from the same
// command.
//
//	done, err := undo.Undo{Repo: repo, Store: session}.Finish(ctx) // nil: none was begun
package undo
