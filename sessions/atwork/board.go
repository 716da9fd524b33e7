package atwork

import (
	"cmp"
	"context"
	"os"
	"slices"
	"sync"
	"time"

	"autopilot/autopilot/journal"
	"autopilot/autopilot/words"
	"autopilot/sessions/view"
)

// Board has what is at work in a run of this process. Its methods may be called at the same time.
type Board struct {
	now func() time.Time

	mu      sync.Mutex
	works   map[string]*work
	changed []chan struct{}
}

type work struct {
	journal.Work
	since, saidAt time.Time
	line          string
}

// New is a board on which nothing is at work.
func New(now func() time.Time) *Board { return &Board{now: now, works: map[string]*work{}} }

// Begin is journal.Watcher's.
func (b *Board) Begin(id string, w journal.Work) {
	b.change(func() { b.works[id] = &work{Work: w, since: b.now()} })
}

// Said is journal.Watcher's.
func (b *Board) Said(id, line string) {
	b.change(func() {
		if w := b.works[id]; w != nil {
			w.line, w.saidAt = cmp.Or(line, w.line), b.now()
		}
	})
}

// End is journal.Watcher's.
func (b *Board) End(id string) { b.change(func() { delete(b.works, id) }) }

func (b *Board) change(do func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	do()
	for _, c := range b.changed {
		select {
		case c <- struct{}{}:
		default: // a change that was not looked at yet is told already
		}
	}
}

// Changed gives a channel that gets a value after each change, or after several at once.
func (b *Board) Changed() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := make(chan struct{}, 1)
	b.changed = append(b.changed, c)
	return c
}

// Now is what is at work: the run's own working tree first, then lanes by task; a command after the dispatch that it is for.
func (b *Board) Now() view.Now {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := make([]*work, 0, len(b.works))
	for _, w := range b.works {
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b *work) int {
		return cmp.Or(cmp.Compare(a.Lane, b.Lane), a.since.Compare(b.since), cmp.Compare(a.Command, b.Command))
	})
	n := view.Now{At: utc(b.now()), PID: os.Getpid(), Works: []view.Work{}}
	for _, w := range all {
		n.Works = append(n.Works, w.shown())
	}
	return n
}

func (w *work) shown() view.Work {
	v := view.Work{
		Task: w.Task, Persona: w.Persona, Purpose: w.Purpose, Command: w.Command,
		Since: utc(w.since), LastLine: words.OneLine(w.line), LastLineAt: utc(w.saidAt),
	}
	if w.Idle > 0 {
		last := w.since
		if w.saidAt.After(last) {
			last = w.saidAt
		}
		v.IdleStops = utc(last.Add(w.Idle))
	}
	return v
}

// utc keeps a zero time zero.
func utc(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC().Round(0)
}

// Every is how often Keep keeps at most.
const Every = time.Second

// Keep has each state kept until the context ends, at most once in Every; of several within that time the last one counts.
func (b *Board) Keep(ctx context.Context, sleep func(context.Context, time.Duration) error, keep func(view.Now)) {
	for changed := b.Changed(); ; {
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
		keep(b.Now())
		if sleep(ctx, Every) != nil {
			return
		}
	}
}
