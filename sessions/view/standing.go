package view

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
)

// stand says who must act, and what a person has to know of that: the one place where these words are chosen.
type stand struct {
	standing Standing
	headline string
	since    time.Time
	next     string
	because  []string
	resume   string
}

// standOf decides how a session stands.
func standOf(f Facts, works []Running, gate *Gate, limit *Limit) stand {
	s := f.State
	run := "autopilot " + quoted(s.SpecPath)
	switch {
	case gate != nil:
		return standAtGate(f, gate)
	case s.CurrentState == machine.Done && machine.NextClosing(s) == "":
		return stand{Finished, totals(s), endOf(s), cmp.Or(ListCommits(s), "autopilot status "+quoted(s.SpecPath)), nil, "it prints the summary; phases added to the spec would be run"}
	case f.Held && limit != nil && limit.Waits:
		return stand{
			Waiting, limit.Text + ", " + until(f.At, limit.Until), s.UpdatedAt, follow(s),
			[]string{limit.Text},
			"the run goes on by itself after that; to go on at once, stop it and name another with --backend",
		}
	case f.Held:
		return standAtWork(f, works)
	}
	return standStopped(f, limit, run)
}

// until says when something is over, in the zone of the clock: until 17:40, in 2:11:05.
func until(now, then time.Time) string {
	at, layout := then.In(now.Location()), "15:04"
	if at.YearDay() != now.YearDay() {
		layout = "2 Jan 15:04"
	}
	return "until " + at.Format(layout) + ", in " + words.Seconds(max(0, then.Sub(now).Seconds()))
}

// follow is the command that shows what a live run does.
func follow(s machine.State) string { return "autopilot watch " + quoted(s.SpecPath) }

func standAtGate(f Facts, gate *Gate) stand {
	st := stand{NeedsYou, asked(f.State, *f.State.Gate).do, gate.AskedAt, "autopilot answer " + quoted(f.State.SpecPath), gate.Because, ""}
	switch several := f.State.CurrentPhase < len(f.State.Phases) && f.State.Phases[f.State.CurrentPhase].Planning.Several; {
	case f.Held:
		st.resume = "the run waits for your answer, then continues"
	case gate.Kind == machine.GatePlanWanted || several:
		st.next, st.resume = "autopilot plan "+quoted(f.State.SpecPath), "autopilot uses your plan if you saved one; otherwise it asks again"
	case gate.YourTurn != nil:
		st.resume = "autopilot uses your reply if it is there; otherwise it asks again"
	default:
		st.resume = "autopilot asks again; if you have answered, it continues"
	}
	return st
}

func standAtWork(f Facts, works []Running) stand {
	s := f.State
	st := stand{AtWork, place(s), s.UpdatedAt, follow(s), nil, "nothing: a run is at work, and goes on by itself"}
	if len(works) > 0 {
		st.since = works[0].Since
		st.because = []string{works[0].Doing}
	}
	if len(works) > 0 && works[0].Attempt > 1 {
		st.headline += fmt.Sprintf(", attempt %d", works[0].Attempt)
	}
	if s.CurrentState == machine.Done || s.CurrentState == machine.Init {
		st.headline = Lower(stepText(s, s.Step))
	}
	return st
}

// standStopped is a session that no run is at work on, that has no question, and is not done.
func standStopped(f Facts, limit *Limit, run string) stand {
	s := f.State
	st := stand{Stopped, "interrupted in " + place(s), s.UpdatedAt, run, []string{"the last run ended without a word: it was killed, or the machine went down"}, resume(s)}
	if s.Runs == 0 {
		st.headline, st.because = "not started yet", nil
	}
	if f.End != nil {
		st.since, st.because = f.End.Time, []string{words.FirstLine(f.End.Reason)}
	}
	switch said := answeredSince(f); {
	case limit != nil && !limit.Waits && limit.Backend == "" && limit.Flags != "":
		st.standing, st.headline, st.next = NeedsYou, "stopped: "+limit.Text+", "+place(s), run+" "+limit.Flags
		st.because, st.resume = []string{limit.Text}, "it stops again: "+limit.Text
	case limit != nil && !limit.Waits && limit.Until.IsZero():
		st.standing, st.headline, st.because, st.resume = NeedsYou, "stopped: "+limit.Text, []string{limit.Text}, "it stops again: "+limit.Text
	case limit != nil && !limit.Waits:
		st.headline, st.because, st.resume = "stopped: "+limit.Text, []string{limit.Text}, "it stops again, "+until(f.At, limit.Until)+"; with --backend NAME another one goes on at once"
		st.next = fmt.Sprintf("%s --wait %dh", run, 1+int(max(0, limit.Until.Sub(f.At)).Hours()))
	case limit != nil:
		st.headline, st.because = "stopped: "+limit.Text, []string{limit.Text}
		st.resume = "it waits " + until(f.At, limit.Until) + ", then " + strings.TrimPrefix(st.resume, "it ") + "; with --backend NAME another one goes on at once"
	case said != "":
		st.headline, st.because = said+"; run to go on", []string{said}
	case f.End == nil:
	case f.End.ExitCode == 0:
		st.headline = "ready to go on in " + place(s)
	case f.End.ExitCode == 3:
		st.headline = "stopped in " + place(s)
	case f.End.ExitCode > 128:
		st.headline = "you stopped it in " + place(s)
	default:
		st.standing, st.headline = Failed, "stopped: "+words.FirstLine(f.End.Reason)
	}
	return st
}

// answeredSince says what was answered after the last run ended; "" is nothing.
func answeredSince(f Facts) string {
	n := len(f.State.Decisions)
	if n == 0 || f.End == nil {
		return ""
	}
	last := f.State.Decisions[n-1]
	if last.Gate == "" || !last.Timestamp.After(f.End.Time) {
		return ""
	}
	if f.Past == nil || f.Past.decided[n-1] == "" {
		return "you answered"
	}
	return "you chose " + f.Past.decided[n-1]
}

// endOf is when a session was done.
func endOf(s machine.State) time.Time {
	if !s.Committed.At.IsZero() && s.Committed.At.After(s.UpdatedAt) {
		return s.Committed.At
	}
	return s.UpdatedAt
}

// ListCommits is the command that lists a finished session's commits; "" where an older program recorded no branch.
func ListCommits(s machine.State) string {
	if s.Branch == "" {
		return ""
	}
	return "git log --oneline " + s.StartingCommit[:min(8, len(s.StartingCommit))] + ".." + s.Branch
}

// resume says what the next run does.
func resume(s machine.State) string {
	if s.LanesBusy() {
		return "the tasks that were at work go on in their own trees; no attempt is spent"
	}
	step := machine.Next(s)
	is, flying := step.Dispatching()
	switch {
	case is && flying:
		return "it repeats the agent run that was cut off, in the tree as it is; no attempt is spent"
	case is:
		return "it starts the " + step.Persona + ": " + Lower(doing(s, Work{Persona: step.Persona, Purpose: step.Purpose, Task: step.Task}))
	case step.Closing != "":
		return "it finishes the closing steps"
	}
	return "it goes on: " + Lower(stepText(s, s.Step))
}

// Lower begins a text with a small letter.
func Lower(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToLower(text[:1]) + text[1:]
}
