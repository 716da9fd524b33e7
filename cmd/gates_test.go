package cmd_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/sessions"
)

// TestEveryGateTakesEachAnswerThroughEveryMouth brings a session to each kind of question and gives each answer at the
// terminal, with `answer` beside a live run and without one, and as a file in the inbox. Whichever mouth it was, the
// same decision is recorded and the session goes on to the same place.
func TestEveryGateTakesEachAnswerThroughEveryMouth(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	met := map[machine.GateKind]bool{}
	t.Run("gate", func(t *testing.T) {
		for _, g := range sample(gates) {
			t.Run(g.name, func(t *testing.T) {
				t.Parallel()
				kind := g.answered(t)
				mu.Lock()
				met[kind] = true
				mu.Unlock()
			})
		}
	})
	for _, offer := range machine.Offers() {
		if *full && !met[offer.Kind] {
			t.Errorf("no session came to gate %s", offer.Kind)
		}
	}
}

// answered brings a session to the question and gives each answer. It returns the kind of the gate.
func (g gate) answered(t *testing.T) machine.GateKind {
	q := newQuestion(t, g.arrival)
	kind := q.state(t).Gate.Kind
	if got := where(q.state(t)); got != g.at {
		t.Fatalf("the session stands at %s, not %s: %+v", got, g.at, q.state(t).Gate)
	}
	q.allOptions(t, g.answers)
	q.wrongAnswers(t)
	for i, a := range g.answers {
		for j, m := range mouths {
			if m.name == a.mute || !(*full || i%3 == 0 && j == i/3%len(mouths) || len(g.answers) == 1 && j == len(mouths)-1) {
				continue // without -full every third answer comes, each through another mouth
			}
			t.Run(strings.ReplaceAll(a.name(), " ", "_")+"/"+m.name, func(t *testing.T) { q.takes(t, a, m) })
		}
	}
	return kind
}

// said is one answer: what is recorded of it, and where it leads.
type said struct {
	option, reason string
	summary        string // of a person whose turn it was
	phase          int
	mute           string                   // a mouth that this answer cannot come from
	before         func(*testing.T, *place) // what a person does before the answer
	lands          string                   // where the session stands just after the answer
	stops          string                   // where the run that goes on stops: its exit code, and where the session stands then
}

func (a said) name() string {
	if a.before != nil {
		return a.option + " after work"
	}
	return a.option
}

// flags are those of `autopilot answer`.
func (a said) flags() []string {
	var flags []string
	if a.reason != "" {
		flags = append(flags, "--reason", a.reason)
	}
	if a.summary != "" {
		flags = append(flags, "--summary", a.summary)
	}
	if a.phase != 0 {
		flags = append(flags, "--phase", fmt.Sprint(a.phase))
	}
	return flags
}

// mouth is a way to answer. It returns how the run that went on ended.
type mouth struct {
	name  string
	speak func(*question, *testing.T, said) outcome
}

var mouths = []mouth{
	{"answer", (*question).byCommand}, {"beside", (*question).besideARun}, {"terminal", (*question).atTheTerminal}, {"inbox", (*question).byFile},
}

// takes gives one answer through one mouth.
func (q *question) takes(t *testing.T, a said, m mouth) {
	q.again(t)
	if a.before != nil {
		a.before(t, q.place)
	}
	gate := q.state(t).Gate
	before := len(q.state(t).Decisions)
	end := m.speak(q, t, a)
	s := q.state(t)
	if len(s.Decisions) <= before {
		t.Fatalf("nothing was decided:\n%s", end.text)
	}
	d := s.Decisions[before]
	if d.Gate != gate.ID || d.Decision != gate.Called()+": "+a.option || d.Reason != a.reason || d.By != "human" || d.State != gate.State {
		t.Errorf("the decision is %+v", d)
	}
	if got := fmt.Sprintf("%d %s", end.code, where(s)); got != a.stops {
		t.Errorf("the run that went on ended with %s, want %s:\n%s", got, a.stops, end.text)
	}
	if left, _ := filepath.Glob(filepath.Join(q.session(), "inbox", "g*")); len(left) > 0 {
		t.Errorf("these are left in the inbox: %v", left)
	}
}

func (q *question) byCommand(t *testing.T, a said) outcome {
	got := q.command(console.Host{}, append([]string{"answer", "docs/spec.md", a.option}, a.flags()...)...)
	if got.code != 0 || !strings.Contains(got.text, "Continue with: autopilot docs/spec.md") {
		t.Fatalf("answer: exit code %d:\n%s", got.code, got.text)
	}
	if at := where(q.state(t)); at != a.lands {
		t.Errorf("answered, the session stands at %s, not %s", at, a.lands)
	}
	return q.run(t, console.Host{}, "--non-interactive")
}

func (q *question) besideARun(t *testing.T, a said) outcome {
	run := q.asking(t)
	option, gate := a.option, q.state(t).Gate
	if n := slices.Index(gate.Names(), option) + 1; n > 0 && gate.Numbered() {
		option = fmt.Sprint(n)
	}
	got := q.command(console.Host{}, append([]string{"answer", "docs/spec.md", option}, a.flags()...)...)
	end := run.leave()
	if got.code != 0 || !strings.Contains(got.text, "Answered") {
		t.Fatalf("answer: exit code %d:\n%s\nthe run:\n%s", got.code, got.text, end.text)
	}
	return end
}

// atTheTerminal types nonsense first, and no reason where one is wanted: the question comes again.
func (q *question) atTheTerminal(t *testing.T, a said) outcome {
	gate := q.state(t).Gate
	keys := "nonsense\n"
	o, listed := gate.Option(a.option)
	if o.WantsReason {
		keys += a.option + "\n \n"
	}
	keys += a.option + "\n"
	if a.reason != "" || o.TakesReason {
		keys += a.reason + "\n"
	}
	if gate.YourTurn.HandsIn(a.option) {
		keys += a.summary + "\n"
	}
	if a.phase != 0 {
		keys += fmt.Sprint(a.phase) + "\n"
	}
	end := q.run(t, console.Host{In: strings.NewReader(keys), Terminal: true})
	if !strings.Contains(end.text, "Please answer with one of: "+gate.Words()[0]) {
		t.Errorf("nonsense was not refused:\n%s", end.text)
	}
	if listed && o.WantsReason && !strings.Contains(end.text, o.Word()+" needs a reason") {
		t.Errorf("%s without a reason was not refused:\n%s", a.option, end.text)
	}
	return end
}

func (q *question) byFile(t *testing.T, a said) outcome {
	gate := q.state(t).Gate
	option := a.option
	if o, ok := gate.Option(option); ok {
		option = o.Word()
	}
	q.leaves(t, gate.ID, machine.Answer{Option: option, Reason: a.reason, Summary: a.summary, Phase: a.phase, By: "human"})
	return q.run(t, console.Host{}, "--non-interactive")
}

// leaves puts a file into the inbox, as another program would.
func (q *question) leaves(t *testing.T, gate string, a machine.Answer) {
	t.Helper()
	data, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	q.put(t, filepath.Join(q.session(), "inbox", gate+".json"), data)
}

// allOptions fails where the table leaves an option of the gate out.
func (q *question) allOptions(t *testing.T, answers []said) {
	t.Helper()
	for _, name := range q.state(t).Gate.Names() {
		if name != "stop" && !slices.ContainsFunc(answers, func(a said) bool { return a.option == name }) {
			t.Errorf("option %s has no row", name)
		}
	}
}

// wrongAnswers gives answers that the open question refuses, with and without a live run and by file. None of them
// decides anything.
func (q *question) wrongAnswers(t *testing.T) {
	s := q.state(t)
	type wrong struct {
		answer machine.Answer
		want   string
	}
	list := []wrong{
		{machine.Answer{Option: "nonsense"}, `"nonsense" doesn't answer this question`},
		{machine.Answer{Option: s.Gate.Names()[0], Gate: "g1", Reason: "because"}, "the answer is for gate g1, but the open one is " + s.Gate.ID},
	}
	for _, r := range s.Gate.Refused {
		list = append(list, wrong{machine.Answer{Option: r.Option}, r.Option + " is not offered: " + r.Why})
	}
	for _, o := range s.Gate.Options {
		if o.WantsReason {
			list = append(list, wrong{machine.Answer{Option: o.Name, Reason: "  "}, o.Name + " needs a reason"})
		}
	}
	t.Run("wrong answers", func(t *testing.T) {
		q.again(t)
		for _, w := range list {
			q.refuses(t, "without a run", q.answers, w.answer, w.want)
		}
		run := q.asking(t)
		for _, w := range list {
			q.refuses(t, "beside a run", q.answers, w.answer, w.want)
		}
		run.leave()
		for _, w := range list {
			if w.answer.Gate == "" {
				q.refuses(t, "in the inbox", func(a machine.Answer) (int, string) { return q.refusedFile(t, a) }, w.answer, w.want)
			}
		}
	})
}

func (q *question) answers(a machine.Answer) (int, string) {
	args := []string{"answer", "docs/spec.md", a.Option, "--reason", a.Reason}
	if a.Gate != "" {
		args = append(args, "--gate", a.Gate)
	}
	end := q.command(console.Host{}, args...)
	return end.code, end.text
}

// refusedFile leaves an answer in the inbox; the run that finds it refuses it in writing and asks again.
func (q *question) refusedFile(t *testing.T, a machine.Answer) (int, string) {
	gate := q.state(t).Gate.ID
	q.leaves(t, gate, a)
	end := q.run(t, console.Host{}, "--non-interactive")
	if end.code != 3 {
		t.Errorf("the run ended with %d:\n%s", end.code, end.text)
	}
	why, _ := sessions.Refused(q.session(), gate)
	return 2, why
}

func (q *question) refuses(t *testing.T, how string, give func(machine.Answer) (int, string), a machine.Answer, want string) {
	t.Helper()
	before := q.state(t)
	code, text := give(a)
	if code != 2 || !strings.Contains(text, want) {
		t.Errorf("%s, %s ended with %d, want 2 and %q:\n%s", how, a.Option, code, want, text)
	}
	if now := q.state(t); now.Gate == nil || now.Gate.ID != before.Gate.ID || len(now.Decisions) != len(before.Decisions) {
		t.Errorf("%s, %s changed the session: it stands at %s, %d decisions", how, a.Option, where(now), len(now.Decisions))
	}
}

func TestOneOfTwoAnswersAtOnceIsTaken(t *testing.T) {
	q := newQuestion(t, arrival{flags: "--review-plans", turns: []string{planned(oneTask)}})
	for _, how := range []string{"without a run", "beside a run"} {
		t.Run(how, func(t *testing.T) {
			q.again(t)
			run := func() outcome { return outcome{} }
			if how == "beside a run" {
				run = q.asking(t).leave
			}
			ends := make(chan outcome, 2)
			for _, args := range [][]string{{"yes"}, {"revise", "--reason", "say it in Latin"}} {
				go func() { ends <- q.command(console.Host{}, append([]string{"answer", "docs/spec.md"}, args...)...) }()
			}
			one, other := <-ends, <-ends
			run()
			if one.code != 0 {
				one, other = other, one
			}
			if one.code != 0 || other.code != 2 || strings.TrimSpace(other.text) == "" {
				t.Errorf("they ended with %d and %d:\n%s\n%s", one.code, other.code, one.text, other.text)
			}
			decisions := q.state(t).Decisions
			words := map[string]string{"approve_plan: yes": "Answered: approve.", "approve_plan: revise": "Answered: revise."}
			if len(decisions) != 1 || !strings.Contains(one.text, words[decisions[0].Decision]) {
				t.Errorf("the decisions are %+v, and the one that was taken said %s", decisions, one.text)
			}
			if left, _ := filepath.Glob(filepath.Join(q.session(), "inbox", "g*.json")); len(left) > 0 && how == "without a run" {
				t.Errorf("these are left in the inbox: %v", left)
			}
		})
	}
}
