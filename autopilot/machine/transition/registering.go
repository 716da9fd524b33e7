package transition

import (
	"fmt"
	"slices"

	"autopilot/autopilot/machine"
)

// keep keeps in the register what the event found, and what it shows of earlier findings. It follows from the event and the
// state before it alone, so that the journal of an older session fills the register as well, and it comes before what the
// event leads to, which may rest on it.
func (m registering) keep() {
	raised := m.raised()
	if m.e.Type == machine.DispatchEnded {
		m.judged()
		m.closeBlind(m.answered(), raised)
		m.closeCriteria()
	}
	m.closeOwn(raised)
	for i, f := range raised {
		undone := m.e.Ended != nil && i < len(m.e.Ended.Findings)
		m.raise(machine.Entry{Phase: m.phase(), Task: m.task(), Finding: f, RaisedAt: m.e.Time, Undone: undone})
	}
	switch m.e.Type {
	case machine.BlindChecked:
		m.closeBlind(m.e.Reading, nil)
	case machine.EffectDone:
		m.committed()
	case machine.PhaseRecorded:
		m.shorten()
	}
}

// raise enters a finding. An entry that was shortened and is open again has a rationale again; an older program left it without.
func (m registering) raise(e machine.Entry) {
	if m.s.Edition >= 2 {
		e.Keep(m.source(e.Finding))
	}
	m.s.Register = m.s.Register.Raise(e)
	at := slices.IndexFunc(m.s.Register, func(old machine.Entry) bool { return old.Cause() == e.Cause() })
	if old := &m.s.Register[at]; m.s.Edition >= 2 && old.Fate == machine.FateOpen && old.Rationale == "" {
		old.Rationale, old.Whole = e.Rationale, e.Whole
	}
}

// source is where the whole of a finding that the event has is: the reply of the persona that names it, else the journal.
func (m registering) source(f machine.Finding) string {
	d := m.dispatch()
	if d == nil || f.Source != d.Persona && f.Source != "criterion" {
		return fmt.Sprintf("events.jsonl rev %d", m.e.Rev)
	}
	return fmt.Sprintf("attempts/%d/%s/%d/reply.json", m.phase(), d.Place(), d.Attempt)
}

// asRegistered are findings with the rationale that the register has of them, once what they are about is over. An older
// program kept all of it.
func (m registering) asRegistered(findings []machine.Finding) []machine.Finding {
	if m.s.Edition < 2 {
		return findings
	}
	drawn := slices.Clone(findings)
	for i, f := range drawn {
		if e, known := m.s.Register.Of(f); known {
			drawn[i].Rationale = e.Rationale
		}
	}
	return drawn
}

// raised is what the event found: by the program's checks, by its guard, by a persona. The guard's findings come first.
func (m registering) raised() []machine.Finding {
	switch m.e.Type {
	case machine.Checked:
		return slices.Concat(m.e.Findings, fromChecks(m.s.NotPassed(m.e.Checks)))
	case machine.Validated, machine.TaskBrought, machine.CommitRefused:
		return m.e.Findings
	case machine.DispatchEnded:
		if m.e.Ended != nil {
			return m.ofDispatch()
		}
	}
	return nil
}

func (m registering) ofDispatch() []machine.Finding {
	end, d := m.e.Ended, m.dispatch()
	if end.Reply == nil || d == nil || d.Purpose == "diagnosis" || d.Purpose == machine.BlindPurpose {
		return end.Findings
	}
	found := slices.Concat(end.Findings, machine.FromPersona(end.Reply.Findings, d.Persona), machine.Unmet(end.Reply.Criteria))
	if blind := m.answered(); blind != nil {
		found = append(found, blind.Findings(m.s.RigorLevel)...)
	}
	if m.phase() == 0 && d.Task == "" {
		found = append(found, machine.Missing(m.s.Spec.Criteria, end.Reply.Criteria)...)
	}
	return found
}

// dispatch is the one that ended.
func (m registering) dispatch() *machine.Dispatch {
	if m.e.Ended == nil {
		return nil
	}
	return m.before.FlightOf(func(d *machine.Dispatch) bool { return d.ID == m.e.Ended.ID })
}

// phase is the position of the phase that the event is about; 0 is the final review.
func (m registering) phase() int {
	if m.before.CurrentState == machine.FinalReview {
		return 0
	}
	return m.before.CurrentPhase + 1
}

// task is the id of the task that the event is about, if any.
func (m registering) task() string {
	if m.e.Type == machine.DispatchEnded {
		if d := m.dispatch(); d != nil {
			return d.Task
		}
	}
	return m.e.Task
}

// closeOwn closes what the program's checks found, and find no more: of a task as it is validated again, of a phase as its
// commands run again. Only VERIFY looks at the whole phase; elsewhere, and in a clean tree, less is run.
func (m registering) closeOwn(raised []machine.Finding) {
	whole, commit := m.before.CurrentState == machine.Verify, ""
	switch {
	case m.e.Type == machine.Checked && m.before.Step != machine.StepClean:
		commit = m.s.Committed.SHA
	case m.e.Type != machine.Validated:
		return
	}
	m.s.Register = m.s.Register.Close(func(e machine.Entry) bool {
		looked := m.e.Type == machine.Validated || whole || e.Source == "check"
		about := e.Phase == m.phase() && e.Task == m.e.Task || whole && e.Unproven
		return e.Own() && !e.Outside && looked && about && !machine.HasCause(raised, e.Finding)
	}, func(e *machine.Entry) { e.Fate, e.Commit = machine.FateFixed, commit })
}

// committed keeps the commit as the last one, says of what a task's validation did not find again by which commit that was,
// and closes what was found in files that are no more.
func (m registering) committed() {
	if m.e.Commit == "" {
		return
	}
	m.s.Committed = machine.Committed{SHA: m.e.Commit, At: m.e.Time}
	next := slices.Clone(m.s.Register)
	for i := range next {
		switch e := &next[i]; {
		case e.Fate == machine.FateFixed && e.Commit == "" && e.Task == m.before.CurrentTask:
			e.Commit = m.e.Commit
		case e.Fate == machine.FateOpen && !e.Unproven && !e.Outside && slices.Contains(m.e.Gone, e.File):
			e.Fate, e.Commit = machine.FateGone, m.e.Commit
		}
	}
	m.s.Register = next
}

// judged takes the word of a persona that did not do the work. It is no word on what the program's own checks found, fixed
// needs a commit since, and a critical finding is dismissed by a person alone.
func (m registering) judged() {
	end, d := m.e.Ended, m.dispatch()
	if d == nil || end.Reply == nil || d.Persona == "executor" {
		return
	}
	for _, j := range end.Reply.Judged {
		if at := slices.IndexFunc(m.s.Register, func(e machine.Entry) bool { return e.ID == j.ID }); at >= 0 && j.Verdict == machine.VerdictStill {
			again := m.s.Register[at]
			again.Rationale = j.Why
			m.raise(again)
		}
		m.s.Register = m.s.Register.Close(func(e machine.Entry) bool { return e.ID == j.ID }, func(e *machine.Entry) {
			switch {
			case j.Verdict == machine.VerdictWrong && (e.Own() || e.Severity == machine.Critical):
				e.By, e.Reason = d.Persona, j.Why
			case j.Verdict == machine.VerdictWrong:
				e.Fate, e.By, e.Reason = machine.FateDismissed, d.Persona, j.Why
			case j.Verdict == machine.VerdictFixed && !e.Own() && m.s.Committed.At.After(e.RaisedAt):
				e.Fate, e.Commit = machine.FateFixed, m.s.Committed.SHA
			}
		})
	}
}

// answered is the blind reading with the word of the verifier, where the event has that.
func (m registering) answered() *machine.Blind {
	d, blind := m.dispatch(), phase(m.s).Blind
	if blind == nil || d == nil || d.Persona != "verifier" || d.Purpose != "" || m.e.Ended.Reply == nil {
		return nil
	}
	answered := blind.Answered(m.e.Ended.Reply.Judged)
	return &answered
}

// closeBlind closes what blind checks found: fixed where the check passes now, wrong where the verifier says something else of it.
func (m registering) closeBlind(blind *machine.Blind, raised []machine.Finding) {
	if blind == nil {
		return
	}
	about := func(e machine.Entry, outcome string) bool {
		c, is := blind.Of(e.Finding)
		return is && e.Phase == m.phase() && c.Outcome == outcome
	}
	m.s.Register = m.s.Register.Close(func(e machine.Entry) bool { return about(e, machine.CheckPassed) },
		func(e *machine.Entry) { e.Fate, e.Commit = machine.FateFixed, m.s.Committed.SHA })
	m.s.Register = m.s.Register.Close(func(e machine.Entry) bool {
		return m.e.Type == machine.DispatchEnded && about(e, machine.CheckFailed) && !machine.HasCause(raised, e.Finding)
	}, func(e *machine.Entry) {
		c, _ := blind.Of(e.Finding)
		e.Fate, e.By, e.Reason = machine.FateDismissed, "verifier", c.Why
	})
}

// closeCriteria closes what was found of criteria that are judged otherwise now: as fixed where there is a commit since. A
// critical one without stays open. An older program closed none.
func (m registering) closeCriteria() {
	end, d := m.e.Ended, m.dispatch()
	if m.before.Edition < 1 || d == nil || end.Reply == nil || d.Persona == "executor" || d.Purpose == "diagnosis" {
		return
	}
	for _, c := range end.Reply.Criteria {
		m.s.Register = m.s.Register.Close(func(e machine.Entry) bool {
			return e.Phase == m.phase() && c.Answers(e.Finding)
		}, func(e *machine.Entry) {
			switch {
			case c.Satisfied && m.s.Committed.At.After(e.RaisedAt):
				e.Fate, e.Commit = machine.FateFixed, m.s.Committed.SHA
			case e.Severity != machine.Critical:
				e.Fate, e.By, e.Reason = machine.FateDismissed, d.Persona, "judged since: "+c.Evidence
			}
		})
	}
}

// dismissed closes a finding as a person's word, and has it block no more.
func (m registering) dismissed() error {
	at := slices.IndexFunc(m.s.Register, func(e machine.Entry) bool { return e.ID == m.e.Finding && e.Fate == machine.FateOpen })
	if at < 0 {
		return m.illegal("no finding " + m.e.Finding + " is open")
	}
	gone := m.s.Register[at]
	m.s.Register = m.s.Register.Close(func(e machine.Entry) bool { return e.ID == gone.ID }, func(e *machine.Entry) {
		e.Fate, e.By, e.Reason = machine.FateDismissed, m.e.By, m.e.Detail
	})
	lists := []*[]machine.Finding{&m.s.FinalReview.Findings}
	for i := range m.s.Phases {
		lists = append(lists, &m.s.Phases[i].Findings)
	}
	for i := range m.s.Tasks {
		lists = append(lists, &m.s.Tasks[i].Findings)
	}
	for _, list := range lists {
		*list = slices.Clone(*list)
		for i := range *list {
			(*list)[i].Overridden = (*list)[i].Overridden || (*list)[i].Cause() == gone.Cause()
		}
	}
	m.decide("dismissed "+gone.String(), m.e.Detail, m.e.By)
	return nil
}

// shorten leaves out of what is closed why it was raised: id, title and fate stay. An older program did so in the phase alone.
func (m registering) shorten() {
	if m.s.Edition >= 2 {
		m.s.Register = m.s.Register.Shorten()
		return
	}
	next := slices.Clone(m.s.Register)
	for i := range next {
		if e := &next[i]; e.Phase == m.phase() && e.Fate != machine.FateOpen {
			e.Rationale = ""
		}
	}
	m.s.Register = next
}

// waive closes what a person went on in spite of, also where an earlier phase found it first, which an older program left open.
// It comes after the edge that the answer leads to.
func (m registering) waive() {
	if m.e.Type != machine.Answered || m.took != machine.Overridden && m.took != machine.VerificationSkipped {
		return
	}
	asked := m.s.FinalReview.Findings
	if n := m.phase(); n > 0 {
		asked = m.s.Phases[n-1].Findings
	}
	m.s.Register = m.s.Register.Close(func(e machine.Entry) bool {
		again := m.s.Edition >= 2 && machine.HasCause(overridden(asked), e.Finding)
		return (again || e.Phase == m.phase()) && e.Blocks(m.s.RigorLevel)
	}, func(e *machine.Entry) {
		e.Fate, e.By, e.Reason, e.Gate = machine.FateWaived, m.e.Answer.By, m.e.Answer.Reason, m.before.Gate.ID
	})
}

// foundBy is what a reply says is wrong: its findings, those that it was asked about and that are not fixed, and what the
// persona found before that blocks, as long as nothing was committed: its silence is no fix. An older program let that go.
func (m *move) foundBy(persona string, r *machine.Reply) []machine.Finding {
	found := machine.FromPersona(r.Findings, persona)
	found = append(found, without(m.s.Register.StillThere(r.Judged), found)...)
	for _, e := range m.s.Register.Open() {
		still := e.Source == persona && e.Phase == registering{m}.phase() && e.Blocks(m.s.RigorLevel) && !m.s.Committed.At.After(e.RaisedAt)
		if still && m.s.Edition >= 5 && !machine.HasCause(found, e.Finding) {
			found = append(found, e.Finding)
		}
	}
	return found
}

// without leaves out the findings that have the cause of one of others.
func without(findings, others []machine.Finding) []machine.Finding {
	return slices.DeleteFunc(findings, func(f machine.Finding) bool {
		return machine.HasCause(others, f)
	})
}

// described gives each finding in a line, with its id, its rationale and what became of it.
func (m *move) described(findings []machine.Finding) []string {
	lines := machine.Describe(findings)
	for i, f := range findings {
		if e, ok := m.s.Register.Of(f); ok {
			lines[i] = e.ID + " " + lines[i]
			if became := e.Became(); became != "" {
				lines[i] += " (" + became + ")"
			}
		}
	}
	return lines
}
