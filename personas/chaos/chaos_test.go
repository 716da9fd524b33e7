package chaos

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"autopilot/personas"
)

// quiet is an agent that does nothing, for dispatches without work.
type quiet struct{}

func (quiet) Dispatch(context.Context, personas.Dispatch) (personas.Outcome, error) {
	return personas.Outcome{Kind: personas.NoReply}, nil
}

func (quiet) work(personas.Dispatch, int) (Work, error) { return Work{}, nil }

func dispatchOf(who personas.Name, task string, attempt int) personas.Dispatch {
	key := personas.Key{Persona: string(who), Phase: 1, Task: task, Attempt: attempt}
	return personas.Dispatch{ID: key.String(), Key: key, Persona: personas.Persona{Name: who}}
}

// played are the parts that the dispatches get in their order, by their place in the work.
func played(t *testing.T, seed uint64, order []personas.Dispatch) map[string]string {
	t.Helper()
	profiles := Profiles()
	hostile := profiles[slices.IndexFunc(profiles, func(p Profile) bool { return p.Name == "hostile" })]
	tame := slices.DeleteFunc(slices.Clone(hostile.Of), func(b Behaviour) bool { return b == Tamperer || b == Flapper })
	hostile.Of = tame // no deeds here: they need a repository
	c := &Cast{Seed: seed, Profile: hostile, Work: quiet{}.work, Agent: quiet{}}
	for _, d := range order {
		if _, err := c.Dispatch(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	parts := map[string]string{}
	for _, d := range order {
		parts[d.ID] = fmt.Sprint(c.Part(d.ID).Cue)
	}
	return parts
}

func TestTheSeedAndThePlaceInTheWorkDecideWhateverTheOrder(t *testing.T) {
	var order []personas.Dispatch
	for i := range 20 {
		order = append(order, dispatchOf(personas.Executor, fmt.Sprint("task-", i), 1), dispatchOf(personas.Reviewer, "", i+1))
	}
	one := played(t, 7, order)
	slices.Reverse(order)
	if again := played(t, 7, order); !maps.Equal(one, again) {
		t.Errorf("in another order the parts are others:\n%v\n%v", one, again)
	}
	if other := played(t, 8, order); maps.Equal(one, other) {
		t.Error("another seed makes the same choices")
	}
}

func TestAProfileIsShownByThoseWhoCanAndAboutAsOftenAsItSays(t *testing.T) {
	for _, p := range Profiles() {
		shown := 0
		const tries = 400
		for i := range tries {
			for _, who := range personas.Names() {
				c := &Cast{Seed: uint64(i), Profile: p}
				part := c.assign(dispatchOf(who, "", 1))
				if part.Behaviour == Honest {
					continue
				}
				shown++
				can := slices.ContainsFunc(Conducts(), func(c Conduct) bool { return c.Name == part.Behaviour && slices.Contains(c.By, who) })
				if !can || part.form.Name != part.Form || part.Form == "" {
					t.Fatalf("%s: the %s plays %s, %q", p.Name, who, part.Behaviour, part.Form)
				}
			}
		}
		want := p.Share * 4 * tries
		if p.Alone {
			want = tries // one persona, each time
		}
		if float64(shown) < 0.8*want || float64(shown) > 1.2*want {
			t.Errorf("%s: %d of %d dispatches misbehaved, want about %.0f", p.Name, shown, 4*tries, want)
		}
	}
}

// modelOf is the model of a dispatch that misbehaves in a form.
func modelOf(form Form, w Work) *Model {
	return &Model{part: Part{form: form, work: w}, now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }}
}

func TestEachLimitIsReadAsOne(t *testing.T) {
	ends := map[bool]int{}
	for _, form := range limitTexts {
		_, _, err := modelOf(form, Work{}).Turn(t.Context(), nil, nil)
		var limit *personas.LimitError
		if !errors.As(err, &limit) {
			t.Errorf("%s: %v", form.Name, err)
			continue
		}
		ends[limit.UsedUp]++
	}
	if ends[true] == 0 || ends[false] == 0 {
		t.Errorf("used up or not: %v", ends)
	}
}

func TestNoWrongReplyIsAReply(t *testing.T) {
	for _, form := range wrongReplies {
		message, _, err := modelOf(form, Work{}).Turn(t.Context(), nil, nil)
		if err != nil || len(message.Calls) != 1 {
			t.Fatalf("%s: %+v, %v", form.Name, message, err)
		}
		if r, err := personas.ParseReply([]byte(message.Calls[0].Arguments)); err == nil {
			t.Errorf("%s was taken: %+v", form.Name, r)
		}
	}
}

func TestHalfOfTheWorkIsHalf(t *testing.T) {
	m := modelOf(formOf(Cue{Behaviour: Partial, Form: "half, then silent"}), Work{Writes: []Write{{"a", "aaaa"}, {"b", "bbbb"}, {"c", "cccc"}}})
	message, _, err := m.Turn(t.Context(), nil, nil)
	if err != nil || len(message.Calls) != 2 || !strings.Contains(message.Calls[0].Arguments, "aaaa") || strings.Contains(message.Calls[1].Arguments, "bbbb") {
		t.Errorf("%+v, %v", message, err)
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	if _, _, err := m.Turn(ended, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("then it says: %v", err)
	}
}
