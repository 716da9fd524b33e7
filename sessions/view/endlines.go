package view

import (
	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
)

// checked tells of the checks of a phase, where one did not pass.
func (w *writer) checked() {
	if w.e.Type != machine.Checked && w.e.Type != machine.BlindChecked {
		return
	}
	if bad := failed(w.e.Checks); len(bad) > 0 {
		w.add("check", Broken, ended(bad), failing(bad, 8)...).Seconds = machine.SecondsOf(w.e.Checks)
	}
	for _, f := range w.e.Findings {
		if f.Severity != machine.Suggestion {
			w.add("finding", "", f.String())
		}
	}
}

// ended tells of an agent run that came to nothing outside of a task, of a limit, and of what an agent did and must not.
func (w *writer) ended() {
	if w.e.Type == machine.CommitRefused {
		w.add("warning", Broken, "The commit was refused", firstLines(w.e.Detail, 8)...)
	}
	end := w.e.Ended
	if w.e.Type != machine.DispatchEnded || end == nil {
		return
	}
	d := w.before.FlightOf(func(d *machine.Dispatch) bool { return d.ID == end.ID })
	who := "The agent run"
	if d != nil {
		who = doing(w.before, Work{Task: d.Task, Persona: d.Persona, Purpose: d.Purpose})
	}
	switch end.Outcome {
	case machine.OutcomeLimited:
		what, until := limitText(w.after), ""
		if end.Backend == "" && end.Until == nil && !end.UsedUp {
			what = "a budget is used up"
		}
		if end.Until != nil {
			until = "over in " + words.Seconds(end.Until.Sub(w.e.Time).Seconds())
		}
		w.add("limit", Active, Joined(Capital(what), until), firstLines(end.Detail, 2)...)
	case machine.OutcomeNoReply, machine.OutcomeTimedOut, machine.OutcomeCrashed, machine.OutcomeAuth, machine.OutcomeNotMade:
		if d == nil || d.Task == "" {
			all := firstLines(end.Detail, 5)
			w.add("warning", Broken, Joined(who, outcomeWords[end.Outcome], firstOf(end.Detail)), all[min(1, len(all)):]...)
		}
	case machine.OutcomeReply:
		if end.Reply != nil && end.Reply.Status == "failed" && (d == nil || d.Task == "") {
			w.add("warning", Broken, Joined(who, "it failed", firstOf(end.Reply.Summary)))
		}
	}
	for _, f := range end.Findings {
		w.add("warning", "", f.String(), firstLines(f.Rationale, 3)...)
	}
}

var outcomeWords = map[machine.DispatchOutcome]string{
	machine.OutcomeNoReply: "no usable reply", machine.OutcomeTimedOut: "it ran out of time", machine.OutcomeCrashed: "it crashed",
	machine.OutcomeAuth: "not logged in", machine.OutcomeNotMade: "it could not be started",
}
