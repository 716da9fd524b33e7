package autopilot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/changes"
	"autopilot/autopilot/checks"
	"autopilot/autopilot/git"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/words"
	"autopilot/autopilot/workspace"
)

// large does with what is too much to be committed what a person says.
type large struct {
	journal *journal.Journal
	repo    *git.Repo
	checks  checks.Checks
	changes changes.Changes
}

// settle does it before the task is looked at again. A stop in between does no harm: what is ignored or gone by then is not
// found again. It lists what was moved aside.
func (la large) settle(ctx context.Context, step machine.Step, t machine.Task) (aside []string, err error) {
	if t.Large == nil || t.Large.Answer != machine.EffectIgnore && t.Large.Answer != machine.EffectDiscard {
		return nil, nil
	}
	now, err := la.repo.Tree.Status(ctx)
	if err != nil {
		return nil, err
	}
	made, err := la.changes.OfAttempt(ctx, step, t, now.Head)
	if err != nil {
		return nil, err
	}
	files := git.Paths(la.checks.Large(made.Changes))
	if t.Large.Answer == machine.EffectDiscard {
		return la.discard(ctx, t, made.Base, files)
	}
	return nil, la.ignore(ctx, now, files)
}

// discard takes files out of the working tree, and keeps them under a ref. What is too large for one is moved aside.
func (la large) discard(ctx context.Context, t machine.Task, base string, files []string) (aside []string, err error) {
	saved, err := la.repo.Files.Save(ctx, refOf(la.journal.State(), "discarded/"+t.ID), "what a person discarded of "+t.ID, files)
	if err != nil {
		return nil, err
	}
	for _, f := range saved.LeftOut {
		to, err := la.repo.Files.MoveAside(f.Path)
		if err != nil {
			return aside, fmt.Errorf("moving aside what is too large to be saved: %w", err)
		}
		aside = append(aside, to)
	}
	text := "Discarded of " + t.ID + ": " + strings.Join(words.FirstFew(files, 3), ", ")
	if saved.Ref != "" {
		var kept []string
		for _, f := range saved.Files {
			kept = append(kept, f.Path)
		}
		text += ". To have them back: " + workspace.RestoreCommand(saved.Ref, kept)
	}
	if len(aside) > 0 {
		text += ". Too large to be saved, and moved aside: " + strings.Join(words.FirstFew(aside, 3), ", ")
	}
	la.journal.Note("info", text)
	_, err = la.repo.Files.Reset(ctx, base, files, "")
	return aside, err
}

// ignore adds files to .gitignore. Where that cannot be written the person is asked again.
func (la large) ignore(ctx context.Context, now git.Status, files []string) error {
	tracked, err := la.repo.Tree.Tracked(ctx)
	if err != nil {
		return err
	}
	others := changes.NewIn(git.Paths(now.Dirt), files)
	for _, t := range la.journal.State().Tasks {
		others = append(others, t.Files...)
	}
	lines := strings.Join(ignoring(files, append(others, tracked.Files...)), "\n") + "\n"
	text, err := plainfile.ReadIn(la.repo.Root(), ".gitignore")
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		if len(text) > 0 && text[len(text)-1] != '\n' {
			text = append(text, '\n')
		}
		err = os.WriteFile(filepath.Join(la.repo.Root(), ".gitignore"), append(text, lines...), 0o644)
	}
	if err != nil {
		la.journal.Note("warning", fmt.Sprintf(".gitignore could not be written: %v", err))
	}
	return nil
}

// ignoring lists the lines of a .gitignore for files: a folder where nothing else lies in it.
func ignoring(files, others []string) (lines []string) {
	kept := map[string]bool{}
	for _, name := range others {
		for dir := path.Dir(path.Clean(name)); dir != "." && !kept[dir]; dir = path.Dir(dir) {
			kept[dir] = true
		}
	}
	escape := strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, " ", `\ `)
	for _, line := range files {
		for i, c := range line {
			if c == '/' && !kept[line[:i]] {
				line = line[:i+1]
				break
			}
		}
		lines = append(lines, "/"+escape.Replace(line))
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}
