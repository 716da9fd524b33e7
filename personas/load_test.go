package personas

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestPersonasMayNoMoreThanTheyNeed(t *testing.T) {
	set, err := Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     Name
		purpose  Purpose
		may      []string
		readOnly bool
	}{
		{Planner, Work, []string{MayRead, MayPlan}, false},
		{Planner, Skeleton, []string{MayRead}, true},
		{Planner, SpecDraft, []string{MayRead, MayPlan}, false},
		{Executor, Work, []string{MayRead, MayWrite, MayRun}, false},
		{Verifier, Work, []string{MayRead, MayRun}, true},
		{Verifier, Diagnosis, []string{MayRead}, true},
		{Reviewer, Work, []string{MayRead}, true},
		{Reviewer, Final, []string{MayRead}, true},
		{Executor, Final, []string{MayRead, MayWrite, MayRun}, false}, // the purpose is another's
	} {
		p := set.For(c.name, c.purpose)
		if p.Name != c.name || !slices.Equal(p.May, c.may) || p.ReadOnly() != c.readOnly {
			t.Errorf("%s %q: %q may %v", c.name, c.purpose, p.Name, p.May)
		}
	}
}

func TestExamplesAreValidReplies(t *testing.T) {
	set, err := Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	check := func(p Persona) {
		r, err := FromMessage(p.Body)
		if err == nil {
			err = p.CheckOwed(r)
		}
		if err != nil {
			t.Errorf("%s: the example is no valid reply: %v", p.Name, err)
		}
	}
	for _, n := range names {
		check(set.For(n, Work))
	}
	for purpose, n := range forms {
		check(set.For(n, purpose))
	}
	if _, err := ParseReply([]byte(replyExample)); err != nil {
		t.Errorf("the example of a repair is no valid reply: %v", err)
	}
}

func TestOverrideReplacesMethodAndKeepsTheRest(t *testing.T) {
	set, err := Load(fstest.MapFS{
		"reviewer.md": {Data: []byte("---\r\nmodel: big\r\n---\r\nBe kind.\r\n")},
		"executor.md": {Data: []byte("Just do it.")},
		"README.md":   {Data: []byte("ours")},
		"notes.txt":   {Data: []byte("ours")},
	})
	if err != nil {
		t.Fatal(err)
	}
	r := set.For(Reviewer, Work)
	if r.Model != "big" || r.Body != "Be kind." || !slices.Equal(r.May, []string{MayRead}) || len(r.Owes) == 0 {
		t.Errorf("reviewer: %+v", r)
	}
	if final := set.For(Reviewer, Final); final.Model != "big" || !strings.Contains(final.Body, "final review") {
		t.Error("the final review does not take over the reviewer's model, or lost its method")
	}
	if e := set.For(Executor, Work); e.Body != "Just do it." || !e.Allows(MayRun) {
		t.Errorf("executor: %+v", e)
	}
}

func TestWrongOverridesAreRefusedByName(t *testing.T) {
	for name, c := range map[string]struct{ file, text, want string }{
		"misspelt name":      {"plannr.md", "x", "plannr.md"},
		"unknown key":        {"planner.md", "---\nmodle: x\n---\nx", "modle"},
		"unknown right":      {"planner.md", "---\nmay: [fly]\n---\nx", `"fly"`},
		"unknown field":      {"planner.md", "---\nreply: [poem]\n---\nx", `"poem"`},
		"another's name":     {"planner.md", "---\nname: executor\n---\nx", `"executor"`},
		"open front matter":  {"planner.md", "---\nmodel: x\nx", "not closed"},
		"nothing behind":     {"planner.md", "---\n---\n", "no text"},
		"a purpose's method": {"diagnosis.md", "---\nmay: [fly]\n---\nx", "diagnosis.md"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Load(fstest.MapFS{c.file: {Data: []byte(c.text)}})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want one that names %s", err, c.want)
			}
		})
	}
}
