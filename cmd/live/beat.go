package live

import (
	"fmt"
	"strings"
	"time"

	"autopilot/autopilot/words"
	"autopilot/sessions/view"
)

// beatEvery is after how long without a line one says that the run is still at work.
const beatEvery = time.Minute

// heartbeat says in a line what runs now: "task 2 of 5, attempt 2, executor 3:12, $0.18, output 4s ago".
func heartbeat(s view.Session, at time.Time) string {
	if s.Standing == view.Waiting && s.Limit != nil {
		return s.Headline
	}
	var parts []string
	for _, w := range s.Works {
		parts = append(parts, workText(w, at))
	}
	if len(parts) == 0 {
		return s.Headline
	}
	return strings.Join(parts, "; ")
}

func workText(w view.Running, at time.Time) string {
	elapsed := words.Seconds(max(0, at.Sub(w.Since).Seconds()))
	what := view.Lower(w.Doing)
	if w.N > 0 && w.Command == "" {
		what = fmt.Sprintf("task %d of %d", w.N, w.Of)
	}
	parts := []string{what}
	if w.Attempt > 0 && w.Command == "" {
		parts = append(parts, fmt.Sprintf("attempt %d", w.Attempt))
	}
	switch {
	case w.Command != "":
		parts = append(parts, w.Command+" "+elapsed)
	default:
		parts = append(parts, w.Persona+" "+elapsed)
	}
	if w.LastTook > 0 {
		parts = append(parts, "last took "+words.Seconds(w.LastTook))
	}
	if w.USD > 0 {
		parts = append(parts, dollars(w.USD))
	}
	if !w.LastLineAt.IsZero() && w.Command == "" {
		parts = append(parts, "output "+age(at.Sub(w.LastLineAt))+" ago")
	}
	return strings.Join(parts, ", ")
}

// sentence says what runs now, and its last words, for who asks for it.
func sentence(s view.Session, at time.Time) string {
	text := heartbeat(s, at)
	if len(s.Works) == 1 && s.Works[0].LastLine != "" {
		text += ". Last output: " + s.Works[0].LastLine
	}
	return text
}

// lineOf is a line of our own.
func lineOf(at time.Time, text string) view.Line { return view.Line{At: at, Kind: "info", Text: text} }
