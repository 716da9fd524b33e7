// Package sessions keeps the files of a session: the journal that decides, the snapshot that follows it, the lock, and
// all that is written beside them for people and other tools.
//
// The order of every change is: one line in the journal, fsync, then the snapshot. From the fsync on the event has
// happened, whatever becomes of the snapshot; before it, nothing has. Open reads both, repairs what a crash can leave
// behind, and refuses what no crash explains. It never starts over silently.
//
// One process at a time holds a session (Create, Open). Readers (Read, List) take no lock and write nothing. Agents
// and answers may write beside the holder: to .harness/out and to the inbox only.
package sessions
