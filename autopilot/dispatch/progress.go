package dispatch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/words"
	"autopilot/personas"
)

const (
	maxCommits  = 20        // commits that a prompt names
	maxLogLines = 200       // of the log that are looked at
	maxStanding = 3_000     // bytes of each part
	maxLog      = 20_000    // bytes of the log
	maxLogRead  = 128 << 10 // bytes of the log that are read
)

// logTitle is the heading of the log's last lines, which are many and short.
const logTitle = "The log"

// done is what is committed.
type done struct {
	commits []git.Logged // the last ones of HEAD, newest first
	base    string       // the commit since which a persona wants to know what changed; "": there is none
	stat    string       // that change in short
}

func (d done) head() string { return d.commits[0].SHA }

func (w Briefs) done(ctx context.Context, base string) (done, error) {
	d := done{base: base}
	var err error
	if d.commits, err = w.Repo.History.Log(ctx, maxCommits); err == nil && base != "" && base != d.head() {
		d.stat, err = w.Repo.Tree.DiffStat(ctx, base, d.head())
	}
	return d, err
}

// progress says how far the work is: what the last dispatch handed over, what is committed, and the last lines of
// the log. Who verifies or reviews is told that the first is somebody's word: they judge by the change and the evidence.
func (w Briefs) progress(step machine.Step, f Facts, done done) []personas.Section {
	handedOver := "What the last dispatch handed over"
	if step.Persona == "verifier" || step.Persona == "reviewer" {
		handedOver = "What the last dispatch said of its work, which proves nothing"
	}
	parts := []personas.Section{{Title: "The project", Text: f.Project}, {Title: handedOver, Text: w.lastHandoff()}}
	var log strings.Builder
	for _, c := range done.commits {
		log.WriteString(words.Commit(c.SHA) + " " + c.Subject + "\n")
	}
	parts = append(parts, personas.Section{Title: "The last commits", Text: log.String()})
	parts = append(parts, personas.Section{Title: "Changed since " + words.Commit(done.base), Text: done.stat})
	parts = append(parts, personas.Section{Title: logTitle, Text: w.lastLog()})
	var full []personas.Section
	for _, p := range parts {
		if p.Title != logTitle {
			p.Text = w.Mask.Shorten(strings.TrimSpace(p.Text), maxStanding)
		}
		if p.Text != "" {
			full = append(full, p)
		}
	}
	return full
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

// lastLog is the last lines of progress.txt, without the time and the run of each, as far as they fit.
func (w Briefs) lastLog() string {
	text, err := endOf(filepath.Join(w.Dir, "progress.txt"), maxLogRead)
	if err != nil {
		return ""
	}
	all := strings.Split(strings.TrimSpace(string(text)), "\n")
	var lines []string
	for _, line := range all[max(0, len(all)-maxLogLines):] {
		for range 2 {
			_, line, _ = strings.Cut(line, "] ")
		}
		line, _, _ = strings.Cut(line, " {#")
		lines = append(lines, w.Mask.Shorten(line, 200))
	}
	return newest(lines, maxLog)
}

// endOf reads the end of a file, from the beginning of a line.
func endOf(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() <= most {
		text, readErr := io.ReadAll(f)
		return text, errors.Join(err, readErr)
	}
	text, err := io.ReadAll(io.NewSectionReader(f, info.Size()-most, most))
	_, text, _ = bytes.Cut(text, []byte{'\n'})
	return text, err
}

// newest keeps as many of the last lines as fit.
func newest(lines []string, limit int) string {
	from := len(lines)
	for from > 0 && limit >= len(lines[from-1])+1 {
		from--
		limit -= len(lines[from]) + 1
	}
	return strings.Join(lines[from:], "\n")
}
