package cmd

import (
	"fmt"
	"strings"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/cmd/app"
)

// waitsFor is the limit or the outage that a run waits for, where one does; "" where none is.
func waitsFor(s machine.State) string {
	if s.LimitedUntil == nil || s.CurrentState == machine.Done {
		return ""
	}
	return limited(s)
}

// atWorkNow says what a run that is alive does: "a run waits out a limit of backend a, until …".
func atWorkNow(s machine.State, now time.Time) string {
	lanes := ""
	if s.LanesBusy() {
		lanes = "a run is at work on " + strings.Join(atWork(s), ", ")
	}
	flying := len(s.InFlight) > 0 && s.InFlight[0].Dispatch != nil
	switch limit := waitsFor(s); {
	case limit != "" && lanes != "":
		return lanes + "; then it waits out " + limit
	case limit != "":
		return "a run waits out " + limit
	case s.Gate != nil:
		return "a run waits for an answer"
	case lanes != "":
		return lanes
	case flying:
		d := s.InFlight[0].Dispatch
		return fmt.Sprintf("the %s is at work (%sattempt %d) %s", d.Persona, about(d.Task, d.Purpose), d.Attempt, lasting(now.Sub(d.At)))
	}
	return "a run is at work: " + doing(s)
}

// alive tells of a run that is at work what it does, and what the same command would do beside it.
func (r *reasons) alive(s machine.State, now time.Time) {
	r.Running, r.Doing = true, atWorkNow(s, now)
	r.Resume = "nothing is to be resumed: the run goes on by itself; the same command beside it is refused"
	r.Next = "autopilot log -f " + shell.QuotePath(s.SpecPath)
	switch {
	case waitsFor(s) != "":
		r.Resume = fmt.Sprintf("the run goes on by itself after %s; where that is too late, stop it with Ctrl-C and name another backend with --backend", s.LimitedUntil.Format(time.RFC3339))
	case s.Gate != nil:
		r.Resume, r.Next = "the run goes on once the question is answered, at its terminal or with the command below", app.NextCommand(s)
	}
}
