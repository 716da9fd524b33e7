// Package commits makes each commit of a session exactly once.
//
// A call goes: Commits.Make journals what is intended with its key, commits, and journals what came of it. After a crash the
// same call finds the commit by its key, or makes it, or has a human asked. What belongs into a commit is decided by its caller.
package commits

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"autopilot/autopilot/branches"
	"autopilot/autopilot/checks"
	"autopilot/autopilot/facts"
	"autopilot/autopilot/git"
	"autopilot/autopilot/git/refs"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/words"
	"autopilot/autopilot/workspace"
	"autopilot/personas"
)

// Commits are those of a session.
type Commits struct {
	Repo     *git.Repo
	Branch   branches.Branch
	Journal  *journal.Journal
	Facts    facts.Facts
	Mask     *personas.Mask // takes secrets out of what a hook says; may be nil
	Front    sync.Locker    // held while no dispatch may begin or end
	Hook     time.Duration  // for git's hooks
	Rollback bool           // a failed attempt is rolled back to the task's base
}

// Order is a commit to be made.
type Order struct {
	Kind    string
	Subject string
	Body    string
	Task    string
	Paths   []string
	Write   func() error               // makes what is to be committed, once the commit is intended; nil: it is there
	Undo    func(*git.HookError) error // takes that back after a hook's no
}

// Make makes a commit exactly once: what is intended is journaled with its key first, so that after a crash the
// commit is found again, or made, or asked about.
func (cs Commits) Make(ctx context.Context, o Order) error {
	if effect := cs.Intended(); effect != nil {
		if done, err := cs.recover(ctx, *effect); done || err != nil {
			return err
		}
	}
	if len(o.Paths) == 0 {
		return cs.Journal.Apply(machine.Event{Type: machine.EffectDone})
	}
	position, err := cs.Repo.Position(ctx)
	if err != nil {
		return err
	}
	if err := cs.Branch.Is(ctx, position); err != nil {
		return err
	}
	effect := &machine.Effect{Kind: o.Kind, Parent: position.Head, Paths: o.Paths}
	if err := cs.Journal.ApplyWith(func(key string) (machine.Event, error) {
		effect.Key = key
		return machine.Event{Type: machine.EffectIntended, Effect: effect}, nil
	}); err != nil {
		return err
	}
	if o.Write != nil {
		if err := o.Write(); err != nil {
			return err
		}
	}
	made, err := cs.now(ctx, git.Commit{
		Paths: o.Paths, Subject: o.Subject, Body: o.Body, Trailers: cs.trailers(o, effect.Key), HookTimeout: cs.Hook,
	})
	var hook *git.HookError
	if errors.As(err, &hook) && o.Undo != nil {
		if err := o.Undo(hook); err != nil {
			return err
		}
	}
	return cs.committed(made, o.Subject, err)
}

// committed reports what came of a commit with a subject.
func (cs Commits) committed(made git.Committed, subject string, err error) error {
	var hook *git.HookError
	var nothing *git.NothingToCommitError
	var altered *git.AlteredError
	switch {
	case errors.As(err, &altered):
		return cs.Journal.Apply(machine.Event{Type: machine.CommitRefused, Detail: altered.Error(), Findings: alteredFindings(altered), Rollback: cs.Rollback})
	case errors.As(err, &hook):
		return cs.Journal.Apply(machine.Event{
			Type: machine.CommitRefused, Detail: cs.Mask.Shorten(cs.Mask.Replace(hook.Error()), checks.MaxDetail), Signature: refusal(hook), Rollback: cs.Rollback,
		})
	case errors.As(err, &nothing):
		return cs.Journal.Apply(machine.Event{Type: machine.EffectDone})
	case err != nil:
		return err
	}
	cs.Journal.Note("commit", "commit "+words.Commit(made.SHA)+": "+words.OneLine(subject))
	cs.tellTakenOut(made)
	byProducts := cs.Journal.State().ByProducts // no commit has them, so a hook that writes to one needs no new check
	hooked := slices.DeleteFunc(made.HookChanged, func(path string) bool { return slices.Contains(byProducts, path) })
	return cs.Journal.Apply(machine.Event{Type: machine.EffectDone, Commit: made.SHA, Hooked: hooked, ByProducts: made.HookLeft, Rollback: cs.Rollback, Gone: cs.gone()})
}

// gone are the files of open findings that are no more.
func (cs Commits) gone() (paths []string) {
	for _, e := range cs.Journal.State().Register.Open() {
		_, err := os.Lstat(filepath.Join(cs.Repo.Root(), filepath.FromSlash(e.File)))
		if e.File != "" && errors.Is(err, fs.ErrNotExist) && !slices.Contains(paths, e.File) {
			paths = append(paths, e.File)
		}
	}
	return paths
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
func (cs Commits) tellTakenOut(made git.Committed) {
	untold := slices.DeleteFunc(slices.Clone(made.TakenOut), func(path string) bool { return !cs.Journal.WarnOnce("taken out " + path) })
	if len(untold) == 0 {
		return
	}
	text := TakenOut(made.Hook, untold)
	cs.Journal.Note("warning", text)
	cs.Journal.Progress(journal.ProgressLine{Type: "WARN", Message: text})
}

// TakenOut says that files were kept out of a commit that a hook had put into it.
func TakenOut(hook string, paths []string) string {
	return fmt.Sprintf("The %s hook added files to the commit that are not part of it. They were left out, and stay as they were: %s", hook, strings.Join(words.FirstFew(paths, 8), ", "))
}

// refusal names a hook's no: by its words, those aside of one that was stopped in the middle of them.
func refusal(hook *git.HookError) string {
	said := validate.Fingerprint(hook.Output)
	if hook.TimedOut {
		said = "it did not end in time"
	}
	return strings.TrimSpace(hook.Hook + "\n" + said)
}

// Intended is a commit that was intended and has no end yet; nil: there is none.
func (cs Commits) Intended() *machine.Effect {
	s := cs.Journal.State()
	if len(s.InFlight) == 0 {
		return nil
	}
	return s.InFlight[0].Effect
}

// recover settles a commit that was intended before the program ended: found by its key it is adopted; with HEAD still
// at its parent it is made again; else a human decides.
func (cs Commits) recover(ctx context.Context, effect machine.Effect) (bool, error) {
	position, err := cs.Repo.Position(ctx)
	if err != nil {
		return false, err
	}
	if effect.Resolve == "adopt" {
		return true, cs.Journal.Apply(machine.Event{Type: machine.EffectDone, Commit: position.Head, Gone: cs.gone()})
	}
	if effect.Resolve == "repeat" {
		return false, nil
	}
	sha, found, err := cs.Repo.History.FindKey(ctx, effect.Parent, effect.Key)
	if err != nil {
		return false, err
	}
	if found {
		if err := cs.Repo.Index.AsHead(ctx, effect.Paths); err != nil {
			return false, err
		}
		cs.Journal.Progress(journal.ProgressLine{Type: "RECOVERY", Message: "action=adopt reason=commit " + words.Commit(sha) + " was made before the stop"})
		return true, cs.Journal.Apply(machine.Event{Type: machine.EffectDone, Commit: sha, Gone: cs.gone()})
	}
	if position.Head == effect.Parent {
		return false, nil
	}
	return true, cs.Journal.Apply(machine.Event{
		Type: machine.GateRaised, Kind: machine.GateEffectUnclear,
		Detail: fmt.Sprintf("a %s commit on top of %s was intended, HEAD is %s, and the commit is not between them", effect.Kind, words.Commit(effect.Parent), words.Commit(position.Head)),
	})
}

func (cs Commits) trailers(o Order, key string) [][2]string {
	s := cs.Journal.State()
	trailers := [][2]string{{"Autopilot-Session", s.SessionSlug}}
	if s.CurrentState != machine.FinalReview && s.CurrentState != machine.Done {
		trailers = append(trailers, [2]string{"Autopilot-Phase", fmt.Sprint(s.CurrentPhase + 1)})
	}
	if o.Task != "" {
		trailers = append(trailers, [2]string{"Autopilot-Task", o.Task})
	}
	return append(trailers, [2]string{"Autopilot-Key", key})
}

// Label begins a subject: "[autopilot][phase 2a]", or the final review's.
func (cs Commits) Label() string {
	if cs.Journal.State().CurrentState == machine.FinalReview {
		return "[autopilot][final review]"
	}
	return "[autopilot][phase " + words.OneLine(cs.Journal.Phase().Number) + "]"
}

// maxSubject keeps subjects readable in one line of git log.
const maxSubject = 100

// Subject is a line of a label and a text, not too long for git log.
func Subject(label, text string) string {
	line := []rune(label + " " + words.OneLine(text))
	if len(line) > maxSubject {
		return string(line[:maxSubject-1]) + "…"
	}
	return string(line)
}

// Body is the text of a task's commit: its agent's last word, and which attempt it is where others failed. No line of it reads
// as a trailer, by which autopilot finds a commit again.
func Body(summary string, attempt int) string {
	body := words.Folded(strings.ReplaceAll(summary, "Autopilot-", "autopilot-"), 72)
	if attempt > 1 {
		body = strings.TrimSpace(body + fmt.Sprintf("\n\nDone on attempt %d.", attempt))
	}
	return body
}

// now makes a commit. While it is made no dispatch begins or ends beside it, so that it can be told what the user's
// hooks did to refs.
func (cs Commits) now(ctx context.Context, c git.Commit) (made git.Committed, err error) {
	cs.Front.Lock()
	defer cs.Front.Unlock()
	if len(cs.Journal.State().Flights()) == 0 {
		return cs.Repo.Commits.Make(ctx, c)
	}
	moved, err := refs.Of(cs.Repo).RefsMovedBy(ctx, func() error {
		made, err = cs.Repo.Commits.Make(ctx, c)
		return err
	})
	if noted := cs.Facts.AddMoves(ctx, moved); noted != nil && err == nil {
		err = noted
	}
	return made, err
}

// Differing returns the path in a list when it differs from HEAD.
func (cs Commits) Differing(ctx context.Context, file string) ([]string, error) {
	status, err := cs.Repo.Tree.Status(ctx)
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
