package autopilot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/checks"
	"autopilot/autopilot/facts"
	"autopilot/autopilot/git"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/words"
	"autopilot/autopilot/workspace"
)

// order is a commit to be made.
type order struct {
	kind    string
	subject string
	body    string
	task    string
	paths   []string
	write   func() error               // makes what is to be committed, once the commit is intended; nil: it is there
	undo    func(*git.HookError) error // takes that back after a hook's no
}

// commit makes a commit exactly once: what is intended is journaled with its key first, so that after a crash the
// commit is found again, or made, or asked about.
func (e *Engine) commit(ctx context.Context, o order) error {
	if effect := e.effect(); effect != nil {
		if done, err := e.recover(ctx, *effect); done || err != nil {
			return err
		}
	}
	if len(o.paths) == 0 {
		return e.Journal.Apply(machine.Event{Type: machine.EffectDone})
	}
	position, err := e.Repo.Position(ctx)
	if err != nil {
		return err
	}
	if err := e.branch().Is(ctx, position); err != nil {
		return err
	}
	effect := &machine.Effect{Kind: o.kind, Parent: position.Head, Paths: o.paths}
	if err := e.Journal.ApplyWith(func(key string) (machine.Event, error) {
		effect.Key = key
		return machine.Event{Type: machine.EffectIntended, Effect: effect}, nil
	}); err != nil {
		return err
	}
	if o.write != nil {
		if err := o.write(); err != nil {
			return err
		}
	}
	made, err := e.commitNow(ctx, git.Commit{
		Paths: o.paths, Subject: o.subject, Body: o.body, Trailers: e.trailers(o, effect.Key), HookTimeout: e.Settings.Hook,
	})
	var hook *git.HookError
	if errors.As(err, &hook) && o.undo != nil {
		if err := o.undo(hook); err != nil {
			return err
		}
	}
	return e.committed(made, o.subject, err)
}

// committed reports what came of a commit with a subject.
func (e *Engine) committed(made git.Committed, subject string, err error) error {
	var hook *git.HookError
	var nothing *git.NothingToCommitError
	var altered *git.AlteredError
	switch {
	case errors.As(err, &altered):
		return e.Journal.Apply(machine.Event{Type: machine.CommitRefused, Detail: altered.Error(), Findings: alteredFindings(altered), Rollback: e.Settings.Rollback})
	case errors.As(err, &hook):
		return e.Journal.Apply(machine.Event{
			Type: machine.CommitRefused, Detail: e.Mask.Shorten(e.Mask.Replace(hook.Error()), checks.MaxDetail), Signature: refusal(hook), Rollback: e.Settings.Rollback,
		})
	case errors.As(err, &nothing):
		return e.Journal.Apply(machine.Event{Type: machine.EffectDone})
	case err != nil:
		return err
	}
	e.Journal.Note("commit", "commit "+words.Commit(made.SHA)+": "+words.OneLine(subject))
	if made.Instead != "" {
		e.Journal.Note("warning", Instead(made.Instead))
	}
	e.tellTakenOut(made)
	return e.Journal.Apply(machine.Event{Type: machine.EffectDone, Commit: made.SHA, Hooked: made.HookChanged, Rollback: e.Settings.Rollback})
}

func alteredFindings(altered *git.AlteredError) []machine.Finding {
	var findings []machine.Finding
	for _, path := range altered.Paths {
		findings = append(findings, workspace.Integrity(machine.Critical, "git committed something else than was validated",
			"the commit was taken back. Look for a filter that changes what is committed: git check-attr -a -- "+path, path))
	}
	return findings
}

// tellTakenOut says once of each file that a hook put it into a commit that it is no part of.
func (e *Engine) tellTakenOut(made git.Committed) {
	untold := slices.DeleteFunc(slices.Clone(made.TakenOut), func(path string) bool { return slices.Contains(e.takenOut, path) })
	if len(untold) == 0 {
		return
	}
	e.takenOut = append(e.takenOut, untold...)
	text := TakenOut(made.Hook, untold)
	e.Journal.Note("warning", text)
	e.Journal.Progress(journal.ProgressLine{Type: "WARN", Message: text})
}

// TakenOut says that files were kept out of a commit that a hook had put into it.
func TakenOut(hook string, paths []string) string {
	return fmt.Sprintf("The %s hook added files to the commit that are not part of it. They were left out, and stay as they were: %s", hook, strings.Join(words.FirstFew(paths, 8), ", "))
}

// Instead says that commits are not made under the name that git has by now.
func Instead(who string) string {
	return "git's configuration names " + who + " since this run began. This run keeps the name that it began with; the next one takes the new one."
}

// refusal names a hook's no: by its words, those aside of one that was stopped in the middle of them.
func refusal(hook *git.HookError) string {
	said := validate.Fingerprint(hook.Output)
	if hook.TimedOut {
		said = "it did not end in time"
	}
	return strings.TrimSpace(hook.Hook + "\n" + said)
}

func (e *Engine) effect() *machine.Effect {
	s := e.Journal.State()
	if len(s.InFlight) == 0 {
		return nil
	}
	return s.InFlight[0].Effect
}

// recover settles a commit that was intended before the program ended: found by its key it is adopted; with HEAD still
// at its parent it is made again; else a human decides.
func (e *Engine) recover(ctx context.Context, effect machine.Effect) (bool, error) {
	position, err := e.Repo.Position(ctx)
	if err != nil {
		return false, err
	}
	if effect.Resolve == "adopt" {
		return true, e.Journal.Apply(machine.Event{Type: machine.EffectDone, Commit: position.Head})
	}
	if effect.Resolve == "repeat" {
		return false, nil
	}
	sha, found, err := e.Repo.History.FindKey(ctx, effect.Parent, effect.Key)
	if err != nil {
		return false, err
	}
	if found {
		if err := e.Repo.Index.AsHead(ctx, effect.Paths); err != nil {
			return false, err
		}
		e.Journal.Progress(journal.ProgressLine{Type: "RECOVERY", Message: "action=adopt reason=commit " + words.Commit(sha) + " was made before the stop"})
		return true, e.Journal.Apply(machine.Event{Type: machine.EffectDone, Commit: sha})
	}
	if position.Head == effect.Parent {
		return false, nil
	}
	return true, e.Journal.Apply(machine.Event{
		Type: machine.GateRaised, Kind: machine.GateEffectUnclear,
		Detail: fmt.Sprintf("a %s commit on top of %s was intended, HEAD is %s, and the commit is not between them", effect.Kind, words.Commit(effect.Parent), words.Commit(position.Head)),
	})
}

func (e *Engine) trailers(o order, key string) [][2]string {
	s := e.Journal.State()
	trailers := [][2]string{{"Autopilot-Session", s.SessionSlug}}
	if s.CurrentState != machine.FinalReview && s.CurrentState != machine.Done {
		trailers = append(trailers, [2]string{"Autopilot-Phase", fmt.Sprint(s.CurrentPhase + 1)})
	}
	if o.task != "" {
		trailers = append(trailers, [2]string{"Autopilot-Task", o.task})
	}
	return append(trailers, [2]string{"Autopilot-Key", key})
}

// label begins a subject: "[autopilot][phase 2a]", or the final review's.
func (e *Engine) label() string {
	if e.Journal.State().CurrentState == machine.FinalReview {
		return "[autopilot][final review]"
	}
	return "[autopilot][phase " + words.OneLine(e.Journal.Phase().Number) + "]"
}

// maxSubject keeps subjects readable in one line of git log.
const maxSubject = 100

func subject(label, text string) string {
	line := []rune(label + " " + words.OneLine(text))
	if len(line) > maxSubject {
		return string(line[:maxSubject-1]) + "…"
	}
	return string(line)
}

// commitPlan commits the approved plan.
func (e *Engine) commitPlan(ctx context.Context, _ machine.Step) error {
	p, ctx := e.Journal.Phase(), git.Still(ctx)
	changed, err := e.changedSince(ctx, p.PlanPath)
	if err != nil {
		return err
	}
	return e.commit(ctx, order{kind: "plan", subject: subject(e.label(), "Plan: "+p.Name), paths: changed})
}

// changedSince returns the path in a list when it differs from HEAD.
func (e *Engine) changedSince(ctx context.Context, file string) ([]string, error) {
	status, err := e.Repo.Tree.Status(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range status.Dirt {
		if c.Path == file {
			return []string{file}, nil
		}
	}
	return nil, nil
}

func (e *Engine) commitTask(ctx context.Context, step machine.Step) error {
	t, _ := e.Journal.State().Task(step.Task)
	ctx = e.looked.Still(ctx)
	paths, err := e.changes().UncommittedOf(ctx, t)
	if err != nil {
		return err
	}
	body := ""
	if n := len(t.Failures()); n > 0 {
		body = fmt.Sprintf("Done on attempt %d.", n+1)
	}
	if t.Unverified {
		body = strings.TrimSpace(body + "\n\nNot verified: there was no validation to run.")
	}
	return e.commit(ctx, order{kind: "task", subject: subject(e.label(), t.Title), body: body, task: t.ID, paths: paths})
}

func (e *Engine) commitCheckpoint(ctx context.Context, _ machine.Step) error {
	s := e.Journal.State()
	t, _ := s.Task(s.CurrentTask)
	paths, err := e.changes().UncommittedOf(ctx, t)
	if err != nil {
		return err
	}
	number, text := 0, ""
	for i, c := range s.Checkpoints {
		if c.Passed && c.Kind != machine.CheckpointDecision {
			number, text = i+1, c.Text
		}
	}
	return e.commit(ctx, order{kind: "checkpoint", subject: subject("[autopilot]", fmt.Sprintf("Checkpoint %d: %s", number, text)), paths: paths})
}

// commitRecovery keeps the work of a phase that cannot go on. A hook's no must not lose it: then it is kept under a ref.
func (e *Engine) commitRecovery(ctx context.Context, _ machine.Step) error {
	s := e.Journal.State()
	paths, err := e.changes().Uncommitted(ctx)
	if err != nil {
		return err
	}
	for _, t := range s.Tasks {
		if failed := t.Failures(); t.Status == machine.TaskFailed && len(failed) > 0 {
			key := fmt.Sprintf("%s/%d/%s", s.SessionID, s.CurrentPhase, t.ID)
			if err := e.Memory.Fail(key, "task", words.OneLine(t.Title+": "+failed[len(failed)-1].Error)); err != nil {
				return err
			}
		}
	}
	if len(paths) > 0 {
		if _, err := e.Repo.Files.Save(ctx, e.ref(fmt.Sprintf("recovery/%d", s.Revision)), "work of a phase that could not go on", paths); err != nil {
			return err
		}
	}
	return e.commit(ctx, order{kind: "recovery", subject: subject("[autopilot][recovery]", "Phase "+e.Journal.Phase().Number+": unfinished work"), paths: paths})
}

// commitHuman commits what a person fixed by hand.
func (e *Engine) commitHuman(ctx context.Context, _ machine.Step) error {
	paths, err := e.changes().Uncommitted(ctx)
	if err != nil {
		return err
	}
	return e.commit(ctx, order{kind: "human", subject: subject(e.label(), "Fixed by hand"), paths: paths})
}

// commitNow makes a commit. While it is made no dispatch begins or ends beside it, so that it can be told what the user's
// hooks did to refs.
func (e *Engine) commitNow(ctx context.Context, c git.Commit) (made git.Committed, err error) {
	e.lanes.front.Lock()
	defer e.lanes.front.Unlock()
	e.Journal.Settle() // hooks may read them
	if !facts.AgentsAtWork(e.Journal.State()) {
		return e.Repo.Commits.Make(ctx, c)
	}
	moved, err := e.Repo.Guards.RefsMovedBy(ctx, func() error {
		made, err = e.Repo.Commits.Make(ctx, c)
		return err
	})
	if noted := e.facts().AddMoves(ctx, moved); noted != nil && err == nil {
		err = noted
	}
	return made, err
}
