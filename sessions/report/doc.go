// Package report writes what was built, for people who were away: the block at the end of a run, summary.md, the body of a
// pull request, and one HTML file with everything.
//
// It is pure: it opens no file and has no clock. Who calls it fills Facts from the view of a session, from its journal, and from
// its files.
//
//	var record report.Record
//	sessions.Replay(dir, options, record.Take)
//	f := report.Facts{Session: view.Of(facts), Record: &record, At: now}
//	report.Text(f, 80)  // the terminal
//	report.Page(f)      // the HTML file
//
// All of them show the same numbers. Texts of agents are data: the page escapes them, the others break what would act.
package report
