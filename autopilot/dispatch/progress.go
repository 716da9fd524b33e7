package dispatch

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/words"
	"autopilot/personas"
)

const (
	maxCommits  = 10    // commits that a prompt names
	maxStanding = 3_000 // bytes of each part
	maxPaths    = 100   // files that a prompt names
	maxDecided  = 10    // decisions that a prompt names
)

// done is what is committed.
type done struct {
	commits []git.Logged // the last ones of HEAD, newest first
	base    string       // the commit since which a persona wants to know what changed; "": there is none
	stat    string       // that change in short
	files   []string     // that git does not ignore
}

func (d done) head() string { return d.commits[0].SHA }

func (w Briefs) done(ctx context.Context, base string) (done, error) {
	d := done{base: base}
	var err error
	if d.files, err = w.Repo.Tree.Files(ctx); err != nil {
		return d, err
	}
	if d.commits, err = w.Repo.History.Log(ctx, maxCommits); err == nil && base != "" && base != d.head() {
		d.stat, err = w.Repo.Tree.DiffStat(ctx, base, d.head())
	}
	return d, err
}

// progress says how far the work is: how the phases before ended, what people decided, what failed before the work, which files
// there are, what is committed, and what the last dispatch handed over, which changes most. Who verifies or reviews is told
// that the last is somebody's word: they judge by the change and the evidence.
func (w Briefs) progress(s machine.State, step machine.Step, f Facts, done done) []personas.Section {
	judges := step.Persona == "verifier" || step.Persona == "reviewer"
	handedOver, changed := "What the last dispatch handed over", done.stat
	if judges {
		handedOver, changed = "What the last dispatch said of its work, which proves nothing", "" // the change itself is shown
	}
	var commits strings.Builder
	for _, c := range done.commits {
		commits.WriteString(words.Commit(c.SHA) + " " + c.Subject + "\n")
	}
	parts := []personas.Section{
		{Title: "The project", Text: f.Project},
		{Title: "How the phases before ended", Text: strings.Join(ended(s), "\n")},
		{Title: "What people decided", Text: strings.Join(decided(s), "\n")},
		{Title: "Failed before the work", Text: strings.Join(redBefore(s), "\n")},
		{Title: "Files", Text: byFolder(words.FirstFew(done.files, maxPaths))},
		{Title: "The last commits", Text: commits.String()},
		{Title: "Changed since " + words.Commit(done.base), Text: changed},
		{Title: handedOver, Text: w.lastHandoff()},
	}
	var full []personas.Section
	for _, p := range parts {
		if p.Text = w.Mask.Shorten(strings.TrimSpace(p.Text), maxStanding); p.Text != "" {
			full = append(full, p)
		}
	}
	return full
}

// byFolder lists files in the order in which git has them, those of a folder in one line.
func byFolder(files []string) string {
	var list strings.Builder
	before := ""
	for i, file := range files {
		folder, name := path.Split(file)
		if i == 0 || folder != before {
			list.WriteString("\n" + cmp.Or(folder, "./"))
		}
		list.WriteString(" " + name)
		before = folder
	}
	return list.String()
}

// ended says of each phase that is over how it ended.
func ended(s machine.State) (lines []string) {
	for _, h := range s.History {
		lines = append(lines, fmt.Sprintf("%s, %s: %s, %s, verified: %s", s.PhaseNumber(h.Phase), h.Name, h.Outcome,
			machine.Plural(h.TasksCompleted, "task", "tasks"), machine.VerifiedWords(h.VerificationPassed)))
	}
	return lines
}

// decided are the last decisions for which a person gave a reason.
func decided(s machine.State) (lines []string) {
	for _, d := range s.Decisions {
		if d.Reason != "" && d.Gate != "" && d.By != machine.ByAutoFix {
			lines = append(lines, fmt.Sprintf("phase %s, %s: %s", s.PhaseNumber(d.Phase), strings.ReplaceAll(d.Decision, "_", " "), words.OneLine(d.Reason)))
		}
	}
	return lines[max(0, len(lines)-maxDecided):]
}

// redBefore are the commands that did not pass before anything was changed, with the tests that failed.
func redBefore(s machine.State) (lines []string) {
	if s.Baseline == nil {
		return nil
	}
	for _, c := range s.Baseline.Checks {
		if c.Outcome != machine.CheckPassed {
			line := c.Name() + ": " + strings.ReplaceAll(c.Outcome, "_", " ")
			if len(c.FailedTests) > 0 {
				line += ": " + strings.Join(words.FirstFew(c.FailedTests, maxDecided), ", ")
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// standingBase is the commit since which a persona wants to know what changed: a planner, and whoever mends the whole,
// since the session began, else since the phase did.
func standingBase(s machine.State, step machine.Step) string {
	if step.Persona == "planner" || s.CurrentState == machine.FinalReview {
		return s.StartingCommit
	}
	return s.Phases[s.CurrentPhase].StartCommit
}

// lastHandoff is the last valid reply of the session, in short.
func (w Briefs) lastHandoff() string {
	var h struct {
		FromSkill, Phase, Summary string
		Concerns, Blockers        []string
	}
	if plainfile.ReadJSON(filepath.Join(w.Dir, "handoff.json"), &h) != nil || h.Summary == "" {
		return "" // there is none, or another tool's: then the rest has to do
	}
	lines := []string{strings.TrimPrefix(h.FromSkill, "autopilot-") + ", " + h.Phase + ": " + h.Summary}
	for _, more := range []struct {
		name string
		list []string
	}{{"Concern", h.Concerns}, {"Blocker", h.Blockers}} {
		for _, text := range more.list {
			lines = append(lines, more.name+": "+text)
		}
	}
	return strings.Join(lines, "\n")
}
