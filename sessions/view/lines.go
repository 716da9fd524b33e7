package view

import "time"

// Line is one line of a session's transcript: the same on the terminal as it happens, in log, in a report, and on a page.
type Line struct {
	Rev     int64     `json:"rev"` // of the event
	At      time.Time `json:"at"`
	Kind    string    `json:"kind"` // phase, plan, task, task_failed, check, review, decision, question, run, done, warning
	Mark    Mark      `json:"mark,omitempty"`
	Text    string    `json:"text"`
	Detail  []string  `json:"detail,omitempty"`  // lines below it
	Seconds float64   `json:"seconds,omitempty"` // that it took
	USD     float64   `json:"usd,omitempty"`
}
