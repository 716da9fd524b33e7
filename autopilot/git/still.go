package git

import (
	"context"
	"sync"
)

// stillKey is where a context has what was seen already.
type stillKey struct{}

// Seen is what git told of working trees while nothing changed them.
type Seen struct{ answers sync.Map }

// Still is a context for looking at working trees while nothing changes them: what git lists of one is asked for once.
// Whoever runs or writes something takes a new one.
func Still(ctx context.Context) context.Context { return (*Seen)(nil).Still(ctx) }

// Still is a context that goes on from what was seen, where nothing ran since; nil begins anew.
func (s *Seen) Still(ctx context.Context) context.Context {
	if s == nil {
		s = &Seen{}
	}
	return context.WithValue(ctx, stillKey{}, s)
}

// SeenIn is what was seen in a Still context, for whoever looks next; nil in another one.
func SeenIn(ctx context.Context) *Seen {
	seen, _ := ctx.Value(stillKey{}).(*Seen)
	return seen
}

// answer is what git told, or will tell: done is closed then.
type answer struct {
	done  chan struct{}
	value any
	err   error
}

// once asks, unless that was asked already in a Still context, or is being asked. What it answers is shared: it is not
// to be changed.
func once[T any](ctx context.Context, r *runner, question string, ask func() (T, error)) (T, error) {
	seen := SeenIn(ctx)
	if seen == nil {
		return ask()
	}
	key, mine := [2]string{r.root, question}, &answer{done: make(chan struct{})}
	if known, ok := seen.answers.LoadOrStore(key, mine); ok {
		before := known.(*answer)
		if <-before.done; before.err == nil {
			return before.value.(T), nil
		}
		return ask()
	}
	defer close(mine.done)
	value, err := ask()
	if mine.value, mine.err = value, err; err != nil {
		seen.answers.CompareAndDelete(key, mine)
	}
	return value, err
}

// known is the answer to a question that was asked already in a Still context.
func known[T any](ctx context.Context, r *runner, question string) (value T, ok bool) {
	seen := SeenIn(ctx)
	if seen == nil {
		return value, false
	}
	before, ok := seen.answers.Load([2]string{r.root, question})
	if !ok {
		return value, false
	}
	given := before.(*answer)
	if <-given.done; given.err != nil {
		return value, false
	}
	value, ok = given.value.(T)
	return value, ok
}
