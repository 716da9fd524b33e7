package transition

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"autopilot/autopilot/machine"
)

// words are a script line behind its command: plain words and key=value pairs.
type words []string

func (ws words) has(word string) bool { return slices.Contains(ws, word) }

func (ws words) value(key string) (string, bool) {
	for _, w := range ws {
		if v, ok := strings.CutPrefix(w, key+"="); ok {
			return v, true
		}
	}
	return "", false
}

func (ws words) number(key string) int {
	v, _ := ws.value(key)
	n, _ := strconv.Atoi(v)
	return n
}

// findings are those that the words critical, important, suggestion and warning stand for; unproven=TEST names an old test,
// unchanged is the finding that nothing was changed.
func (ws words) findings(source string) []machine.Finding {
	var findings []machine.Finding
	for _, severity := range []string{machine.Critical, machine.Important, machine.Suggestion} {
		if ws.has(severity) {
			findings = append(findings, machine.Finding{Severity: severity, File: "a.go", Line: 3, Title: "something " + severity, Source: source})
		}
	}
	for i := range findings {
		if ws.has("long") {
			findings[i].Rationale = strings.Repeat("It is so. ", 300)
		}
	}
	if ws.has("warning") {
		findings = append(findings, machine.Finding{Severity: machine.Important, Warning: true, Title: "a service is down", Source: source})
	}
	if test, ok := ws.value("unproven"); ok {
		findings = append(findings, machine.Finding{Severity: machine.Critical, Title: "the previous tests fail on the new code: " + test, Rationale: "it said " + strings.Join(ws, " "), Source: source, Command: "go test ./...", Unproven: true})
	}
	if ws.has("unchanged") {
		findings = append(findings, machine.Finding{Severity: machine.Critical, Title: machine.NothingChanged, Source: "check"})
	}
	return findings
}

// scripted are the commands of scripts that stand for an event: each starts from what smooth would report.
var scripted = map[string]func(*world, words) machine.Event{
	"next":     func(w *world, _ words) machine.Event { return smooth(w.s) },
	"dispatch": func(w *world, _ words) machine.Event { return smooth(w.s) },
	"baseline": func(_ *world, ws words) machine.Event {
		return machine.Event{Type: machine.BaselineMeasured, Baseline: &machine.Baseline{Checks: ws.checks()}}
	},
	"plan": planned,
	"noplan": func(_ *world, ws words) machine.Event {
		return machine.Event{Type: machine.PlanMissing, Detail: strings.Join(ws, " ")}
	},
	"weigh":   weighed,
	"overlap": func(w *world, _ words) machine.Event { e := smooth(w.s); e.Overlap = []string{"mine.go"}; return e },
	"again": func(w *world, _ words) machine.Event {
		return machine.Event{Type: machine.TaskStarted, Task: w.s.CurrentTask}
	},
	"end":   dispatchEnded,
	"check": checked,
	"ran":   func(w *world, ws words) machine.Event { return blindChecked(w.s, ws) },
	"intend": func(_ *world, ws words) machine.Event {
		return machine.Event{Type: machine.EffectIntended, Effect: intended(ws)}
	},
	"commit": committed,
	"refuse": func(_ *world, ws words) machine.Event {
		said, _ := ws.value("says")
		e := machine.Event{Type: machine.CommitRefused, Detail: "lint says no", Signature: said, Rollback: ws.has("rollback")}
		if ws.has("altered") {
			e.Findings = []machine.Finding{{Severity: machine.Critical, File: "a.go", Title: "another one was committed"}}
		}
		return e
	},
	"before": func(w *world, ws words) machine.Event { // the task's validation, before its first dispatch
		return machine.Event{Type: machine.SnapshotTaken, Task: ws[0], Before: &ws.checks()[0]}
	},
	"answer": answer,
	"raise": func(_ *world, ws words) machine.Event {
		return machine.Event{Type: machine.GateRaised, Kind: machine.GateKind(ws[0]), Detail: strings.Join(ws[1:], " ")}
	},
	"reread": func(_ *world, ws words) machine.Event {
		return machine.Event{Type: machine.SpecReread, Spec: &machine.SpecRef{SHA256: strings.Join(ws, " ")}, Phases: ws.phases()}
	},
	"added": func(_ *world, ws words) machine.Event {
		return machine.Event{Type: machine.PhasesAdded, Spec: &machine.SpecRef{SHA256: "spec2"}, Phases: ws.phases()}
	},
	"several": func(_ *world, ws words) machine.Event {
		return machine.Event{Type: machine.PlanMissing, Several: true, Detail: strings.Join(ws, " ")}
	},
	"seen": func(_ *world, ws words) machine.Event {
		return machine.Event{Type: machine.PlansSeen, Detail: strings.Join(ws, " ")}
	},
	"bring": func(_ *world, ws words) machine.Event { // the phase, then where the plan is; own=sha: all of it is a person's
		n, _ := strconv.Atoi(ws[0])
		own, _ := ws.value("own")
		path := strings.TrimSuffix(strings.Join(ws[1:], " "), " own="+own)
		return machine.Event{Type: machine.PlanBrought, Phase: n, Detail: path, By: "human", Own: own}
	},
	"redo": func(_ *world, ws words) machine.Event {
		n, _ := strconv.Atoi(ws[0])
		return machine.Event{Type: machine.PhaseRedone, Phase: n}
	},
	"leave": func(_ *world, ws words) machine.Event {
		n, _ := strconv.Atoi(ws[0])
		return machine.Event{Type: machine.PhaseLeftOut, Phase: n, Detail: "not now", By: "human"}
	},
	"order": func(_ *world, ws words) machine.Event {
		return machine.Event{Type: machine.PhasesReordered, Order: ws.positions(), By: "human"}
	},
	"close": func(_ *world, ws words) machine.Event { return machine.Event{Type: machine.Closed, Step: ws[0]} },
	"run":   func(_ *world, ws words) machine.Event { return machine.Event{Type: machine.RunStarted, LeftOut: ws} },
	"use": func(_ *world, _ words) machine.Event {
		return machine.Event{Type: machine.Used, Usage: &machine.Usage{InputTokens: 100, CachedTokens: 10, OutputTokens: 20, CostUSD: 0.5}}
	},
	"dismiss": func(_ *world, ws words) machine.Event {
		return machine.Event{Type: machine.FindingDismissed, Finding: ws[0], Detail: strings.Join(ws[1:], " "), By: "human"}
	},
	"note": func(_ *world, ws words) machine.Event {
		return machine.Event{Type: machine.Noted, Detail: strings.Join(ws, " ")}
	},
	"bare": func(_ *world, ws words) machine.Event {
		return machine.Event{Type: machine.EventType(ws[0]), Rev: int64(ws.number("rev"))}
	},
}

func (ws words) checks() []machine.Check {
	var checks []machine.Check
	for _, outcome := range []string{machine.CheckPassed, machine.CheckFailed, machine.CheckKnownFailure, machine.CheckCouldNot, machine.CheckNothing, machine.CheckTimedOut, machine.CheckBaselineRed} {
		if ws.has(outcome) {
			c := check(outcome)
			c.Dir, _ = ws.value("dir")
			c.Signature, _ = ws.value("says")
			c.ExitCode = ws.number("exit")
			if test, ok := ws.value("flake"); ok {
				c.Flakes = []string{test}
			}
			if names, ok := ws.value("tests"); ok {
				c.FailedTests = strings.Split(names, ",")
			}
			checks = append(checks, c)
		}
	}
	return checks
}

// planned is a plan that was looked for, found, or edited, whichever the step is about.
func planned(w *world, ws words) machine.Event {
	n, _ := strconv.Atoi(ws[0])
	plan := somePlan(n)
	if sha, ok := ws.value("sha"); ok {
		plan.SHA256 = sha
	}
	if numbers, ok := ws.value("numbers"); ok { // numbers=0,7/1 are those that the plan writes, each with a title: "Do 0", "Do 1"
		for i, word := range strings.Split(numbers, ",") {
			number, title, _ := strings.Cut(word, "/")
			plan.Tasks[i].Number, plan.Tasks[i].Title = number, "Do "+cmp.Or(title, number)
		}
	}
	for i := 1; i < n && ws.has("chain"); i++ {
		plan.Tasks[i].DependsOn = []string{plan.Tasks[i-1].ID}
	}
	if n > 0 && ws.has("waits") {
		plan.Tasks[n-1].DependsOn = []string{"task-999"}
	}
	for _, word := range ws { // needs=1:3 is a task 1 that depends on task 3
		if needs, ok := strings.CutPrefix(word, "needs="); ok {
			var one, other int
			_, _ = fmt.Sscanf(needs, "%d:%d", &one, &other)
			plan.Tasks[one-1].DependsOn = append(plan.Tasks[one-1].DependsOn, machine.TaskID(other))
		}
		kind, task, ok := strings.Cut(word, "=")
		if !ok || !slices.Contains([]string{machine.CheckpointDecision, machine.CheckpointVerify, machine.CheckpointAction}, kind) {
			continue
		}
		number, _ := strconv.Atoi(task)
		c := machine.Checkpoint{Task: machine.TaskID(number), Kind: kind, Text: "is it so?"}
		if kind == machine.CheckpointDecision {
			c.Options = []string{"left", "right"}
		}
		plan.Checkpoints = append(plan.Checkpoints, c)
	}
	types := map[machine.StepName]machine.EventType{machine.StepLook: machine.PlanChecked, machine.StepFind: machine.PlanRead}
	if t, ok := types[w.s.Step]; ok {
		e := machine.Event{Type: t, Plan: plan, Commit: "c1"}
		if ws.has("own") { // no agent wrote any of it
			e.Own = plan.SHA256
		}
		return e
	}
	return machine.Event{Type: machine.PlanEdited, Plan: plan}
}

func weighed(_ *world, ws words) machine.Event {
	list := func(word string) []string {
		if ws.has(word) {
			return []string{word + ".go"}
		}
		return nil
	}
	return machine.Event{Type: machine.PlanWeighed, Weighed: &machine.Weighed{
		DirtyFiles: list("dirty"), Waived: list("waived"), ChangedTests: list("tests"), ChecksTouched: list("ci"),
	}}
}

// dispatchEnded: the first word is an outcome, or the status of a reply.
func dispatchEnded(w *world, ws words) machine.Event {
	e := machine.Event{Type: machine.DispatchEnded, Rollback: ws.has("rollback"), Ended: &machine.Ended{Outcome: machine.DispatchOutcome(ws[0]), Detail: "it was so"}}
	if len(w.s.InFlight) > 0 && w.s.InFlight[0].Dispatch != nil {
		e.Ended.ID = w.s.InFlight[0].Dispatch.ID
	}
	if e.Ended.Outcome == machine.OutcomeLimited {
		until := w.now.Add(600e9)
		e.Ended.Until = &until
	}
	if ws.has("misdeed") {
		e.Ended.Findings = []machine.Finding{{Severity: machine.Critical, Title: "it edited the state", Source: "integrity"}}
	}
	if ws.has("committed") {
		e.Ended.Findings = []machine.Finding{{Severity: machine.Suggestion, Title: "it made a commit", Source: "integrity"}}
	}
	if ws.has("undone") {
		e.Ended.Findings = []machine.Finding{{Severity: machine.Important, Title: "it changed a file", Source: "integrity"}}
	}
	if ws.has("home") {
		e.Ended.Findings = []machine.Finding{{Severity: machine.Important, File: "/home/ada/.bashrc", Title: "a file in your home changed", Source: "integrity", Outside: true}}
	}
	e.Ended.Warned = ws.has("warned")
	e.Ended.Commit, _ = ws.value("at")
	if !slices.Contains([]string{"done", "failed", "blocked"}, ws[0]) {
		return e
	}
	reply := smoothReply(w.s)
	reply.Status, reply.Summary, reply.Findings = ws[0], "it went so", ws.findings("")
	if ws.has("concern") {
		reply.Concerns = []string{"it is risky"}
	}
	if ws[0] == "blocked" {
		reply.Blocker = "a password is missing"
	}
	if ws.has("unjudged") {
		reply.Criteria = nil
	}
	for i := range reply.Criteria {
		if v, ok := ws.value("unmet"); ok {
			reply.Criteria[i].Satisfied, reply.Criteria[i].Confidence = false, v
		}
	}
	reply.PlanPath, _ = ws.value("plan")
	if quotes, ok := ws.value("quotes"); ok {
		for quote := range strings.SplitSeq(quotes, ",") {
			reply.Checks = append(reply.Checks, machine.BlindCheck{Quote: quote, Command: "try " + quote, Files: []machine.BlindFile{{Path: "t.sh", Text: "true"}}})
		}
	}
	for _, w := range ws { // F1=fixed B2=code
		if id, verdict, is := strings.Cut(w, "="); is && strings.Contains("FB", id[:1]) {
			reply.Judged = append(reply.Judged, machine.Judgement{ID: id, Verdict: verdict, Why: "it was looked at"})
		}
	}
	e.Ended.Outcome, e.Ended.Reply = machine.OutcomeReply, reply
	return e
}

func checked(w *world, ws words) machine.Event {
	e := machine.Event{Type: machine.Checked, Checks: ws.checks(), Findings: ws.findings("integrity"), Waived: ws.has("waived"), Blind: ws.has("blind"), Rollback: ws.has("rollback")}
	if w.s.Step == machine.StepValidate || w.s.Step == machine.StepRescue {
		e.Type, e.Task = machine.Validated, w.s.CurrentTask
	}
	if path, ok := ws.value("by-product"); ok {
		e.ByProducts = []string{path}
	}
	if id, ok := ws.value("large"); ok {
		e.Large = &machine.Large{ID: id, Files: []string{"a.bin", "b.bin"}, Count: 501, Size: 3 << 20, Tracked: ws.has("tracked")}
	}
	return e
}

func intended(ws words) *machine.Effect {
	parent, _ := ws.value("parent")
	return &machine.Effect{Key: "s1/0", Kind: "commit", Parent: parent}
}

func committed(w *world, ws words) machine.Event {
	e := machine.Event{Type: machine.EffectDone, Commit: fmt.Sprintf("c%d", w.s.Revision+1), Rollback: ws.has("rollback")}
	if ws.has("hooked") {
		e.Hooked = []string{"a.go"}
	}
	if ws.has("nothing") {
		e.Commit = ""
	}
	if file, gone := ws.value("gone"); gone {
		e.Gone = []string{file}
	}
	return e
}

// answer: the option, then the reason; gate=, phase= and ids= may stand anywhere.
func answer(_ *world, ws words) machine.Event {
	a := &machine.Answer{Option: ws[0], By: "human", Phase: ws.number("phase")}
	a.Gate, _ = ws.value("gate")
	var reason []string
	for _, w := range ws[1:] {
		if !strings.Contains(w, "=") {
			reason = append(reason, w)
		}
	}
	a.Reason = strings.Join(reason, " ")
	e := machine.Event{Type: machine.Answered, Answer: a}
	if ids, is := ws.value("ids"); is {
		e.Fix = strings.Split(ids, ",")
	}
	return e
}

// phases are written NUMBER:NAME:TEXT[:COMPLEXITY].
func (ws words) phases() []machine.PhaseText {
	var phases []machine.PhaseText
	for _, w := range ws {
		part := append(strings.Split(w, ":"), "low")
		phases = append(phases, machine.PhaseText{Number: part[0], Name: part[1], SHA256: part[2], Complexity: machine.Complexity(part[3])})
	}
	return phases
}

// positions are written as they are counted, from 1.
func (ws words) positions() []int {
	var list []int
	for _, w := range ws {
		n, _ := strconv.Atoi(w)
		list = append(list, n)
	}
	return list
}

// blindChecked: ran [B1=failed …]; the others passed, and what is dropped goes.
func blindChecked(s machine.State, ws words) machine.Event {
	if s.Phases[s.CurrentPhase].Blind == nil {
		return machine.Event{Type: machine.BlindChecked}
	}
	b := s.Phases[s.CurrentPhase].Blind.Renewed()
	b.Checks = slices.DeleteFunc(b.Checks, func(c machine.BlindCheck) bool { return ws.has(c.ID + "=dropped") })
	b.Dropped += len(s.Phases[s.CurrentPhase].Blind.Checks) - len(b.Checks)
	for i := range b.Checks {
		if c := &b.Checks[i]; c.Outcome == "" {
			c.Outcome = machine.CheckPassed
			if v, ok := ws.value(c.ID); ok {
				c.Outcome, c.ExitCode, c.Output = v, 1, "not so"
			}
		}
	}
	return machine.Event{Type: machine.BlindChecked, Reading: &b}
}
