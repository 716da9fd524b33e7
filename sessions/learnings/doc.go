// Package learnings keeps what sessions learned: learnings.md in a session's folder and in .harness, failures.md in
// .harness, and what was pruned in .harness/archive.
//
// Of gives the Files of one session. Learn and Fail append a line, Promote copies what the next session should know to
// .harness, Newest gives what a brief has room for. List and Prune work on one file beside a run; Prune waits for nobody:
// it fails while a session that could write there is held.
//
// A line that is no entry is a person's own words. It is never read, moved or removed.
package learnings
