package audit

import (
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
)

// Ledger lists what a session claims and the records that it has, from its journal: Take is called for each event in
// order. It decides by the events alone, and not by what Apply made of them.
type Ledger struct {
	Claims     []Claim
	Proofs     []Proof
	Dispatches []DispatchRecord

	tasks   map[string]*Proof         // the last one of each task since it was begun
	verify  []Proof                   // since VERIFY was entered
	flight  map[string]DispatchRecord // by id
	reply   *DispatchRecord           // the last one that ended
	intent  int64                     // revision of the last intent
	waiving bool                      // the configuration wants no validation
}

// DispatchRecord is a dispatch of the journal. Place is its folder in attempts/<Phase>.
type DispatchRecord struct {
	Rev      int64            `json:"rev"`   // of its beginning
	Phase    int              `json:"phase"` // 1-based position; 0 is the final review
	Place    string           `json:"place"`
	Dispatch machine.Dispatch `json:"dispatch"`
	Reply    *machine.Reply   `json:"reply,omitempty"` // nil: it ended without one, or has not ended
}

// position is the phase that an event at a state is about, as folders and trailers count it.
func position(s machine.State) int {
	if s.CurrentState == machine.FinalReview || s.CurrentState == machine.Done {
		return 0
	}
	return s.CurrentPhase + 1
}

// Take takes in an event and the states before and after it.
func (l *Ledger) Take(before machine.State, e machine.Event, after machine.State) {
	switch e.Type {
	case machine.Created, machine.Imported:
		l.began(e, after)
	case machine.BaselineMeasured:
		l.waiving = e.Baseline != nil && e.Baseline.Waived
		if e.Baseline != nil {
			l.proof(before, e, e.Baseline.Checks)
		}
	case machine.TaskStarted:
		delete(l.tasks, e.Task)
	case machine.Validated:
		p := l.proof(before, e, e.Checks)
		l.tasks[e.Task] = &p
	case machine.Checked:
		l.verify = append(l.verify, l.proof(before, e, e.Checks))
	case machine.Dispatched:
		l.flight[e.Dispatch.ID] = DispatchRecord{Rev: e.Rev, Phase: position(before), Place: e.Dispatch.Place(), Dispatch: *e.Dispatch}
	case machine.DispatchEnded:
		l.landed(e)
	case machine.EffectIntended:
		l.intent = e.Rev
	case machine.EffectDone:
		l.made(before, e)
		l.completed(before, e, after)
	case machine.Answered:
		l.answered(before, e, after)
	case machine.PhaseLeftOut:
		l.chosen(ClaimSkipped, "left out by "+e.By+strings.TrimSuffix(": "+e.Detail, ": "), before, e)
	case machine.PhaseRedone:
		l.chosen(ClaimRedone, "started over, as asked for", before, e)
	case machine.Undone:
		l.undone(*before.Undoing)
		return // the states before and after it follow from other records
	}
	if before.CurrentState != after.CurrentState {
		l.moved(before, e, after)
	}
}

func (l *Ledger) claim(c Claim) { l.Claims = append(l.Claims, c) }

// began begins the ledger. What an older program had completed has no records here.
func (l *Ledger) began(e machine.Event, after machine.State) {
	l.tasks, l.flight = map[string]*Proof{}, map[string]DispatchRecord{}
	for _, t := range after.Tasks {
		if t.Status != machine.TaskCompleted {
			continue
		}
		c := Claim{Kind: ClaimTask, Rev: e.Rev, Phase: position(after), Task: t.ID, What: t.Title, Standing: Proven}
		if c.mark("an older program completed it"); e.Type != machine.Imported {
			c.doubt("the session began with it as completed, without a record")
		}
		l.claim(c)
	}
}

func (l *Ledger) proof(before machine.State, e machine.Event, checks []machine.Check) Proof {
	p := Proof{
		Rev: e.Rev, Key: machine.Key(before.SessionID, e.Rev), Type: e.Type, State: before.CurrentState, Step: before.Step, Phase: position(before),
		Task: e.Task, Checks: checks, Findings: e.Findings, Evidence: e.Evidence, Waived: e.Waived,
		against: before.RecordAgainst(e.Type, checks, e.Findings),
	}
	if t, ok := before.Task(e.Task); ok {
		p.Lane = t.Lane != nil
	}
	l.Proofs = append(l.Proofs, p)
	return p
}

func (l *Ledger) landed(e machine.Event) {
	if e.Ended == nil {
		return
	}
	f := l.flight[e.Ended.ID]
	f.Reply = e.Ended.Reply
	l.reply = &f
	l.Dispatches = append(l.Dispatches, f)
}

// made is a commit.
func (l *Ledger) made(before machine.State, e machine.Event) {
	if e.Commit == "" {
		return
	}
	c := Claim{Kind: ClaimCommit, Rev: e.Rev, Phase: position(before), Commit: e.Commit, Record: l.intent, Standing: Proven}
	if len(before.InFlight) == 0 || before.InFlight[0].Effect == nil {
		c.doubt("it was never intended")
		l.claim(c)
		return
	}
	effect := *before.InFlight[0].Effect
	c.Effect, c.What = &effect, effect.Kind
	if effect.Kind == "task" {
		c.Task = before.CurrentTask
	}
	switch {
	case effect.Resolve == machine.EffectAdopt:
		c.mark("a human said that HEAD is it")
	case effect.Key != machine.Key(before.SessionID, l.intent):
		c.doubt(fmt.Sprintf("its key %s is not that of its intent, %s", effect.Key, machine.Key(before.SessionID, l.intent)))
	}
	l.claim(c)
}

// completed is a task that counts as done from this event on.
func (l *Ledger) completed(before machine.State, e machine.Event, after machine.State) {
	t, ok := after.Task(before.CurrentTask)
	old, _ := before.Task(before.CurrentTask)
	if !ok || t.Status != machine.TaskCompleted || old.Status == machine.TaskCompleted {
		return
	}
	c := Claim{Kind: ClaimTask, Rev: e.Rev, Phase: position(before), Task: t.ID, What: t.Title, Commit: t.Commit, Standing: Proven}
	p := l.tasks[t.ID]
	if p == nil {
		c.doubt("there is no record of a validation since it was begun")
		l.claim(c)
		return
	}
	c.Record = p.Rev
	if p.Evidence != nil {
		c.Tree = p.Evidence.CommitTree
	}
	c.doubt(p.against)
	own := t.Validation != "" && !t.ValidationNone && !p.Waived && !l.waiving
	if own {
		c.doubt(p.lacks([]string{t.Validation}))
	}
	switch {
	case machine.Passing(p.Checks):
	case !t.Unverified:
		c.doubt("nothing passed, and it is not marked as unverified")
	default:
		c.mark("unverified: " + unverifiedBecause(t, p.Waived || l.waiving, len(p.Checks)))
	}
	if unproven, _ := before.SplitUnproven(p.Findings); len(unproven) > 0 {
		c.mark("committed unproven: " + machine.Titles(unproven))
	}
	l.claim(c)
}

func unverifiedBecause(t machine.Task, waived bool, checks int) string {
	switch {
	case t.ValidationNone:
		return "its plan waives the validation"
	case waived:
		return "the configuration wants no validation"
	case checks > 0:
		return "no command could show anything"
	}
	return "there was nothing to run"
}

// answered is an answer to a question: the decision stands beside it.
func (l *Ledger) answered(before machine.State, e machine.Event, after machine.State) {
	if before.Gate == nil || e.Answer == nil {
		return
	}
	gate := before.Gate
	c := Claim{
		Kind: ClaimDecision, Rev: e.Rev, Phase: gate.Phase + 1, Task: gate.Task, Standing: Proven,
		What: fmt.Sprintf("%s (%s): %s", gate.Called(), gate.ID, e.Answer.Option),
	}
	i := slices.IndexFunc(after.Decisions, func(d machine.Decision) bool { return d.Gate == gate.ID })
	o, _ := gate.Option(e.Answer.Option)
	switch {
	case i < 0:
		c.doubt("no decision stands beside the answer")
	case e.Answer.By == "":
		c.doubt("nobody is named who answered")
	case o.WantsReason && strings.TrimSpace(e.Answer.Reason) == "":
		c.doubt("it wants a reason, and there is none")
	default:
		c.Why = "by " + e.Answer.By + strings.TrimSuffix(": "+e.Answer.Reason, ": ")
	}
	l.claim(c)
}
