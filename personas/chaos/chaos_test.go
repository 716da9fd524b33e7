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

// quiet is an agent that does nothing, and a stage without work.
type quiet struct{}

func (quiet) Dispatch(context.Context, personas.Dispatch) (personas.Outcome, error) {
	return personas.Outcome{Kind: personas.NoReply}, nil
}

func (quiet) Work(personas.Dispatch, int) (Work, error) { return Work{}, nil }

func dispatchOf(who personas.Name, task string, attempt int) personas.Dispatch {
	key := personas.Key{Persona: string(who), Phase: 1, Task: task, Attempt: attempt}
	return personas.Dispatch{ID: key.String(), Key: key, Persona: personas.Persona{Name: who}}
}

// played are the parts that the dispatches get in their order, by their place in the work.
func played(t *testing.T, seed uint64, order []personas.Dispatch) map[string]string {
	t.Helper()
	hostile, _ := ProfileOf("hostile")
	tame := slices.DeleteFunc(slices.Clone(hostile.Of), func(b Behaviour) bool { return b == Tamperer || b == Flapper })
	hostile.Of = tame // no deeds here: they need a repository
	c := &Cast{Seed: seed, Profile: hostile, Stage: quiet{}, Agent: quiet{}}
	for _, d := range order {
		if _, err := c.Dispatch(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	parts := map[string]string{}
	for _, p := range c.Parts() {
		parts[p.ID] = fmt.Sprint(p.Behaviour, " ", p.Form)
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
				conduct, known := conductOf(part.Behaviour)
				if !known || !slices.Contains(conduct.By, who) || !slices.Contains(conduct.Forms, part.Form) {
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

// modelOf is the model of a dispatch that plays a form of a behaviour.
func modelOf(b Behaviour, form string, w Work) *Model {
	conduct, _ := conductOf(b)
	m := &Model{part: Part{Behaviour: b, Form: form}, work: w, now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }}
	m.turn = conduct.play(m)
	return m
}

func TestEachLimitIsReadAsOne(t *testing.T) {
	ends := map[bool]int{}
	for _, form := range limitNames() {
		_, _, err := modelOf(Limit, form, Work{}).Turn(t.Context(), nil, nil)
		var limit *personas.LimitError
		if !errors.As(err, &limit) {
			t.Errorf("%s: %v", form, err)
			continue
		}
		ends[limit.UsedUp]++
	}
	if ends[true] == 0 || ends[false] == 0 {
		t.Errorf("used up or not: %v", ends)
	}
}

func TestNoWrongReplyIsAReply(t *testing.T) {
	for _, w := range wrongReplies {
		if r, err := personas.ParseReply([]byte(w.arguments)); err == nil {
			t.Errorf("%s was taken: %+v", w.name, r)
		}
	}
}

func TestHalfOfTheWorkIsHalf(t *testing.T) {
	m := modelOf(Partial, "", Work{Writes: []Write{{"a", "aaaa"}, {"b", "bbbb"}, {"c", "cccc"}}})
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
