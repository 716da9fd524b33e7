package sessions

import (
	"slices"
	"sync"
	"time"
)

// behindRest is how long what is asked for may wait after something was written: what changes again meanwhile is
// written once.
const behindRest = 100 * time.Millisecond

// behind writes files that follow the journal while the session goes on: one after the other, in the order they were
// asked for. Of those of one name that wait only the last is written, at its own turn.
type behind struct {
	mu      sync.Mutex
	waiting []laterWrite
	hurry   chan struct{} // closed when somebody cannot wait; nil while nobody works
	idle    chan struct{} // closed when nobody works any more; nil while nobody does
	ended   bool
}

type laterWrite struct {
	name string
	do   func()
}

// ask has a file written. After end nothing is.
func (b *behind) ask(name string, do func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return
	}
	b.waiting = slices.DeleteFunc(b.waiting, func(w laterWrite) bool { return w.name == name })
	b.waiting = append(b.waiting, laterWrite{name, do})
	if b.idle == nil {
		b.hurry, b.idle = make(chan struct{}), make(chan struct{})
		go b.work(b.hurry)
	}
}

// work writes what waits, rests, and goes on as long as there is something.
func (b *behind) work(hurry <-chan struct{}) {
	for b.writeAll() {
		select {
		case <-hurry:
		case <-time.After(behindRest):
		}
	}
}

// writeAll reports whether there was something to write; if not, the work has ended.
func (b *behind) writeAll() bool {
	wrote := false
	for do := b.next(wrote); do != nil; do = b.next(wrote) {
		do()
		wrote = true
	}
	return wrote
}

func (b *behind) next(goesOn bool) func() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.waiting) > 0 {
		do := b.waiting[0].do
		b.waiting = b.waiting[1:]
		return do
	}
	if !goesOn {
		close(b.idle)
		b.hurry, b.idle = nil, nil
	}
	return nil
}

// wait returns when all that was asked for is written.
func (b *behind) wait() {
	if idle := b.soon(); idle != nil {
		<-idle
	}
}

// soon has what waits written at once. What it returns is closed when nobody works any more; nil where nobody does.
func (b *behind) soon() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.hurry != nil {
		close(b.hurry)
		b.hurry = nil
	}
	return b.idle
}

// end waits, and has nothing written any more.
func (b *behind) end() {
	b.mu.Lock()
	b.ended = true
	b.mu.Unlock()
	b.wait()
}
