package form

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/sessions/view"
)

// questionOf is a session with an open question of a kind.
func questionOf(kind machine.GateKind, options ...machine.Option) view.Session {
	s := view.Session{Spec: "docs/limits.md"}
	if options == nil {
		options = machine.GateOptions[kind]
	}
	gate := machine.Gate{ID: "g7", Kind: kind, Options: options, AskedAt: day(15, 4)}
	s.Rigor = machine.Standard
	s.Gate = &view.Gate{Gate: gate, Headline: "Phase 2 of 3 · Rule engine · what is up", Ask: "How do you want to continue?", Choices: view.Choices(gate)}
	return s
}

func day(hour, minute int) time.Time { return time.Date(2026, 11, 25, hour, minute, 0, 0, time.Local) }

// past is what stands above a form.
func past() []view.Line {
	return []view.Line{
		{At: day(14, 2), Mark: view.Passed, Text: "Checks passed before the first change", Seconds: 38},
		{At: day(14, 6), Mark: view.Passed, Text: "Plan: 3 tasks, approved by rule (low complexity)", Seconds: 231, USD: 0.21},
		{At: day(14, 21), Mark: view.Broken, Text: "2/3 Read the limit · attempt 1 of 4 · go test ./... failed", Detail: []string{"TestLimitFromKey: limit_test.go:31: got 100, want 20"}, Seconds: 422, USD: 0.52},
		{At: day(15, 1), Kind: "phase", Text: "Phase 2 of 3 · Rule engine · high complexity"},
	}
}

var update = flag.Bool("update", false, "write the golden forms again")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(path); err != nil || string(want) != got {
		t.Errorf("%s (%v):\n%s\nwant\n%s", path, err, got, want)
	}
}

// questions are those of the screens.
func questions() map[string]view.Session {
	plan := questionOf(machine.GateApprovePlan)
	plan.Gate.Headline, plan.Gate.Ask = "Phase 2 of 3 · Rule engine · the plan is ready", "Approve this plan?"
	plan.Gate.Because = []string{"the phase is high complexity", "the planner is concerned: the parser has no tests yet, and the grammar isn't settled"}
	plan.Gate.About = []view.Task{
		{N: 1, Title: "Add parser tests", Files: []string{"rules/parse_test.go"}},
		{N: 2, Title: "Parse the rules", Files: []string{"rules/parse.go"}, After: []int{1}},
		{N: 3, Title: "Load rules at start", Files: []string{"cmd/server/main.go", "rules/load.go"}, After: []int{1, 2}},
	}
	review := questionOf(machine.GateReviewBlocking)
	review.Gate.Headline = "Phase 2 of 3 · Rule engine · the review found 1 problem that blocks"
	review.Gate.Blocking = machine.Register{
		{Finding: machine.Finding{Severity: machine.Critical, File: "rules/match.go", Line: 88, Title: "A rule without a host matches every host", Rationale: "An empty pattern should match nothing. See spec, Matching."}},
		{Finding: machine.Finding{Severity: machine.Suggestion, File: "rules/parse.go", Line: 12, Title: "Name the grammar in a comment"}},
	}
	review.Gate.Rounds = "Fix rounds used: 1 of 3"
	checks := questionOf(machine.GateVerifyFailed)
	checks.Gate.Headline = "Phase 2 of 3 · Rule engine · checks failed"
	checks.Gate.Checks = []machine.Check{
		{Command: "go test ./...", Outcome: machine.CheckFailed, ExitCode: 1, Detail: strings.Repeat("TestMatchEmpty: matched \"*\"\n", 30)},
		{Command: "go vet ./...", Outcome: machine.CheckPassed},
	}
	decision := questionOf(machine.GateCheckpoint, machine.CheckpointOptions(machine.CheckpointDecision, "a YAML file named by RULES_FILE", "the database table rules")...)
	decision.Gate.Free = true
	decision.Gate.Choices = view.Choices(decision.Gate.Gate)
	decision.Gate.Headline, decision.Gate.Ask = "Phase 2 of 3 · Rule engine · decision before task 4 (Load rules at start)", "Where do rules come from at start?"
	wanted := questionOf(machine.GatePlanWanted)
	wanted.Gate.Headline, wanted.Gate.Ask = "Phase 2 of 3 · Rule engine · the plan is yours to write", "Have you saved the plan?"
	return map[string]view.Session{"approve": plan, "review": review, "checks": checks, "decision": decision, "wanted": wanted}
}

// filled is a form that takes keys, in a terminal of a size.
func filled(s view.Session, columns, rows int) *form {
	h := &console.Host{Width: func() int { return columns }, Height: func() int { return rows }}
	notes := func(string) error { return nil }
	none := func(context.Context) (Text, error) { return Text{}, nil }
	f := newForm(Options{Host: h, Texts: map[rune]func(context.Context) (Text, error){'d': none, 'l': none, 'v': none}, Note: notes, Past: past()}, s)
	f.awake = true
	return f
}

// types hands keys to a form: a rune each, with enter and esc by their signs. It says whether the form closed.
func types(f *form, keys string) (closed bool) {
	for _, r := range keys {
		key := tea.KeyPressMsg{Code: r, Text: string(r)}
		switch r {
		case '⏎':
			key = tea.KeyPressMsg{Code: tea.KeyEnter}
		case '⎋':
			key = tea.KeyPressMsg{Code: tea.KeyEscape}
		case '↓':
			key = tea.KeyPressMsg{Code: tea.KeyDown}
		}
		_, cmd := f.Update(key)
		if cmd == nil {
			continue
		}
		if _, closed = cmd().(tea.QuitMsg); closed {
			return true
		}
	}
	return false
}

func drawn(f *form) string {
	var lines []string
	for _, r := range f.rows() {
		lines = append(lines, strings.TrimRight(r, " "))
	}
	return strings.Join(lines, "\n") + "\n"
}

func TestForms(t *testing.T) {
	for _, columns := range []int{60, 80, 140} {
		for name, s := range questions() {
			f := filled(s, columns, 24)
			golden(t, fmt.Sprintf("%s-%d", name, columns), drawn(f))
		}
		f := filled(questions()["approve"], columns, 24)
		types(f, "r⏎split the last task")
		golden(t, fmt.Sprintf("reason-%d", columns), drawn(f))
	}
}

func TestAFormTakesItsAnswer(t *testing.T) {
	for _, c := range []struct {
		question, keys string
		answer         machine.Answer // Option "": none
		err            error
	}{
		{"approve", "⏎", machine.Answer{Option: "yes"}, nil},
		{"approve", "r⏎split it⏎", machine.Answer{Option: "revise", Reason: "split it"}, nil},
		{"approve", "2⏎split it⏎", machine.Answer{Option: "revise", Reason: "split it"}, nil},
		{"approve", "r⏎⏎⎋", machine.Answer{}, nil},                    // a reason is wanted
		{"approve", "r⏎no⎋1⏎", machine.Answer{Option: "yes"}, nil},    // back, and another one
		{"approve", "jjjjjkkkk⏎", machine.Answer{Option: "yes"}, nil}, // not beyond the ends
		{"approve", "↓↓⏎later⏎", machine.Answer{Option: "skip", Reason: "later"}, nil},
		{"approve", "⎋⏎", machine.Answer{}, halt.ErrStop},
		{"approve", "e", machine.Answer{}, &PlanError{EditPlan}},
		{"wanted", "⏎", machine.Answer{}, &PlanError{EditPlan}},
		{"wanted", "2⏎", machine.Answer{}, &PlanError{DraftPlan}},
		{"wanted", "3⏎", machine.Answer{Option: "done"}, nil},
		{"decision", "2⏎", machine.Answer{Option: "2"}, nil},
		{"decision", "⏎from the network⏎", machine.Answer{Option: machine.InOwnWords, Reason: "from the network"}, nil},
		{"review", "nread RFC 9110⏎r⏎", machine.Answer{Option: "continue"}, nil}, // a note answers nothing
	} {
		f := filled(questions()[c.question], 80, 24)
		closed := types(f, c.keys)
		switch wished, is := errors.AsType[*PlanError](f.err); {
		case closed != (c.answer.Option != "" || c.err != nil):
			t.Errorf("%s %q: closed is %v", c.question, c.keys, closed)
		case is && (fmt.Sprint(wished) != fmt.Sprint(c.err) || !errors.Is(f.err, halt.ErrStop)), !is && !errors.Is(f.err, c.err):
			t.Errorf("%s %q: %v, want %v", c.question, c.keys, f.err, c.err)
		case c.answer.Option != "" && (f.answer.Option != c.answer.Option || f.answer.Reason != c.answer.Reason || f.answer.Gate != "g7"):
			t.Errorf("%s %q: %+v, want %+v", c.question, c.keys, f.answer, c.answer)
		}
	}
}

func TestNoKeyCountsBeforeAFormIsReady(t *testing.T) {
	f := filled(questions()["approve"], 80, 24)
	f.awake = false
	if types(f, "2⏎e⏎") || f.at != 0 || strings.Contains(drawn(f), "enter choose") {
		t.Errorf("it took a key:\n%s", drawn(f))
	}
	f.Update(wakes{})
	if !strings.Contains(drawn(f), "enter choose") || !types(f, "⏎") {
		t.Errorf("it takes none:\n%s", drawn(f))
	}
}

func TestAFormFitsItsTerminal(t *testing.T) {
	for _, rows := range []int{8, 12, 24, 60} {
		for name, s := range questions() {
			got := drawn(filled(s, 80, rows))
			if n := strings.Count(got, "\n"); n > rows {
				t.Errorf("%s has %d rows in %d:\n%s", name, n, rows, got)
			}
			if !strings.Contains(got, "stop ") || !strings.Contains(got, "esc later") {
				t.Errorf("%s at %d rows hides an option:\n%s", name, rows, got)
			}
		}
	}
	f := filled(questions()["checks"], 80, 14)
	if got := drawn(f); !strings.Contains(got, "more lines (v)") {
		t.Errorf("it does not say what it left out:\n%s", got)
	}
	all, err := f.reads(t.Context(), 'v')
	if n := strings.Count(all.Body, "TestMatchEmpty"); err != nil || n != 30 {
		t.Errorf("v shows %d of 30 lines (%v)", n, err)
	}
}

func TestWhatAFormShowsHasNoSecrets(t *testing.T) {
	s := questions()["review"]
	s.Gate.Blocking[0].Title = "the key is hunter2"
	f := filled(s, 80, 24)
	f.Look.Mask = func(text string) string { return strings.ReplaceAll(text, "hunter2", "***") }
	if got := drawn(f); strings.Contains(got, "hunter2") || !strings.Contains(got, "the key is ***") {
		t.Error(got)
	}
	f.Texts['d'] = func(context.Context) (Text, error) { return Text{Title: "hunter2", Body: "diff a\n+hunter2\n"}, nil }
	text, err := f.reads(t.Context(), 'd')
	v := newViewer(text, f.Host, f.Look)
	if shown := v.View().Content; err != nil || strings.Contains(shown, "hunter2") || !strings.Contains(shown, "+***") {
		t.Errorf("%v:\n%s", err, shown)
	}
}
