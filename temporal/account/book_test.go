package account

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const sessions = 5

// model is a book in use, with what follows from the rules.
type model struct {
	t    *rapid.T
	book Book
	now  time.Time
	made int // dispatches

	owed  map[string]map[string]bool // by session: which others waited at its last grant, and had none since
	waits map[string]*wait           // by dispatch
}

// wait is how long a dispatch waits: how many of its session came before, and how many grants there were since.
type wait struct{ ahead, grants int }

func newModel(t *rapid.T) *model {
	return &model{t: t, now: time.Unix(1_000_000, 0).UTC(), owed: map[string]map[string]bool{}, waits: map[string]*wait{}}
}

func (m *model) session() string {
	return fmt.Sprint("s", rapid.IntRange(1, sessions).Draw(m.t, "session"))
}

// use does something with the book, and verifies whom it grants leases.
func (m *model) use(do func()) {
	m.forget(m.live())
	before := m.book
	before.Held = append([]Claim(nil), m.book.Held...)
	do()
	var granted []Claim
	for _, c := range m.book.Held {
		if !has(before.Held, c.ID) {
			granted = append(granted, c)
		}
	}
	if len(granted) > 0 && (len(m.book.Held) > m.book.Slots || m.now.Before(m.book.LimitedUntil)) {
		m.t.Fatalf("%v is granted with %d slots, limited until %v: %v", granted, m.book.Slots, m.book.LimitedUntil, m.book.Held)
	}
	m.fair(granted)
	m.forget(m.live())
	m.bounded(len(granted))
	m.survivesJSON()
}

// live is the sessions whose waiters are not all expired. Who has expired and asks again waits from then on.
func (m *model) live() map[string]bool {
	live := map[string]bool{}
	for _, c := range m.book.Waiting() {
		if m.now.Before(c.Expires) {
			live[c.Session] = true
		} else {
			delete(m.waits, c.ID)
		}
	}
	return live
}

// forget drops the claims on a turn of sessions that no longer wait.
func (m *model) forget(live map[string]bool) {
	for _, others := range m.owed {
		for s := range others {
			if !live[s] {
				delete(others, s)
			}
		}
	}
}

// fair verifies that between two grants of a session each other session that waits has one.
func (m *model) fair(granted []Claim) {
	waits := m.live() // a session whose last waiter gave up doesn't
	for _, c := range granted {
		waits[c.Session] = true
	}
	m.forget(waits)
	for i, c := range granted {
		for s := range m.owed[c.Session] {
			if s != c.Session {
				m.t.Fatalf("%s has two leases while %s waits", c.Session, s)
			}
		}
		for _, others := range m.owed {
			delete(others, c.Session)
		}
		m.owed[c.Session] = m.live()
		for _, later := range granted[i+1:] {
			m.owed[c.Session][later.Session] = true
		}
	}
}

// bounded verifies that nobody waits longer than all sessions need for as many turns as come before.
func (m *model) bounded(grants int) {
	waits := map[string]*wait{}
	ahead := map[string]int{}
	for _, q := range m.book.Queues {
		for _, c := range q.Claims {
			w := m.waits[c.ID]
			if w == nil {
				w = &wait{ahead: ahead[c.Session], grants: -grants}
			}
			w.grants += grants
			waits[c.ID] = w
			ahead[c.Session]++
			if w.grants >= (w.ahead+1)*sessions {
				m.t.Fatalf("%s waits for %d grants, with %d of its session before it", c.ID, w.grants, w.ahead)
			}
		}
	}
	m.waits = waits
}

// survivesJSON goes on with the book as a new run of the workflow has it.
func (m *model) survivesJSON() {
	data, err := json.Marshal(m.book)
	if err != nil {
		m.t.Fatal(err)
	}
	m.book = Book{}
	if err := json.Unmarshal(data, &m.book); err != nil {
		m.t.Fatal(err)
	}
}

func (m *model) take(r Request) (a Answer) {
	m.use(func() { a = m.book.Take(m.now, r) })
	before := m.book
	var again Answer
	m.use(func() { again = m.book.Take(m.now, r) })
	if a != again || !reflect.DeepEqual(before, m.book) {
		m.t.Fatalf("the same request twice gives %+v, then %+v", a, again)
	}
	return a
}

// some is a claim of the book.
func (m *model) some(claims []Claim) Claim {
	if len(claims) == 0 {
		m.t.Skip("none")
	}
	return rapid.SampledFrom(claims).Draw(m.t, "claim")
}

func (m *model) all() []Claim {
	all := append([]Claim(nil), m.book.Held...)
	for _, c := range m.book.Waiting() {
		all = append(all, *c)
	}
	return all
}

func (m *model) slots() int { return rapid.IntRange(0, 4).Draw(m.t, "slots") }

func has(claims []Claim, id string) bool {
	for _, c := range claims {
		if c.ID == id {
			return true
		}
	}
	return false
}

// TestABookIsFair uses a book at random: dispatches come, ask again, are killed, and report limits.
func TestABookIsFair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newModel(t)
		t.Repeat(map[string]func(*rapid.T){
			"come": func(*rapid.T) {
				m.made++
				m.take(Request{m.session(), fmt.Sprint("d", m.made), m.slots()})
			},
			"ask again": func(*rapid.T) {
				c := m.some(m.all())
				m.take(Request{c.Session, c.ID, m.slots()})
			},
			"give": func(*rapid.T) {
				c := m.some(m.all())
				m.use(func() { m.book.Give(m.now, c.ID) })
				if has(m.all(), c.ID) {
					t.Fatalf("%s is still there", c.ID)
				}
			},
			"limit": func(*rapid.T) {
				m.book.Limit(m.now.Add(time.Duration(rapid.IntRange(-60, 300).Draw(t, "seconds")) * time.Second))
			},
			"time goes by": func(*rapid.T) {
				m.now = m.now.Add(time.Duration(rapid.IntRange(1, 40).Draw(t, "seconds")) * time.Second)
			},
		})
		// All are killed: when everything has expired, the next to come has the lease.
		m.now = m.now.Add(LeaseFor)
		if m.now.Before(m.book.LimitedUntil) {
			m.now = m.book.LimitedUntil
		}
		if a := m.take(Request{"s1", "last", 1}); !a.Granted {
			t.Fatalf("the leases of the dead are not free: %+v", m.book)
		}
	})
}

// TestAWaiterThatAsksWhenItShouldKeepsItsPlace: what an answer says about the next request is enough, and limits don't change that.
func TestAWaiterThatAsksWhenItShouldKeepsItsPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now, slots := time.Unix(1_000_000, 0).UTC(), rapid.IntRange(1, 5).Draw(t, "slots")
		var b Book
		for i := range rapid.IntRange(slots, 200).Draw(t, "before") {
			b.Take(now, Request{fmt.Sprint("s", i%7), fmt.Sprint("d", i), slots})
		}
		b.Limit(now.Add(time.Duration(rapid.IntRange(0, 20_000).Draw(t, "limit")) * time.Second))
		r := Request{"mine", "mine", slots}
		for range 1000 {
			a := b.Take(now, r)
			if a.Granted {
				if now.Before(b.LimitedUntil) {
					t.Fatalf("granted at %v, limited until %v", now, b.LimitedUntil)
				}
				return
			}
			far := b.LimitedUntil.Sub(now) >= AskWithin
			if a.AskAgain < AskAfter || a.AskAgain > AskWithin || far && a.AskAgain < AskWithin || a.Place < 1 {
				t.Fatalf("%+v", a)
			}
			now = now.Add(a.AskAgain + PlaceFor - 1)
			if b.expire(now); b.Waiting() == nil {
				t.Fatalf("%s after %+v its place has expired", now, a)
			}
		}
		t.Fatal("it is never granted")
	})
}

func TestOneLaneIsNotStarvedByFifty(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	var b Book
	for i := range 50 {
		b.Take(now, Request{"big", fmt.Sprint("lane", i), 1})
	}
	if a := b.Take(now, Request{"small", "one", 1}); a.Place != 2 {
		t.Fatalf("place %d, want 2: behind one lane of the other session", a.Place)
	}
	b.Give(now, "lane0")
	b.Give(now, "lane1")
	if a := b.Take(now, Request{"small", "one", 1}); !a.Granted {
		t.Fatalf("%+v", a)
	}
}
