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

// Still is a context that goes on from what was seen, where nothing ran since; nil starts over.
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

// once asks, unless that was asked already in a Still context. What it answers is shared: it is not to be changed.
func once[T any](ctx context.Context, r *runner, question string, ask func() (T, error)) (T, error) {
	if value, ok := known[T](ctx, r, question); ok {
		return value, nil
	}
	value, err := ask()
	if seen := SeenIn(ctx); seen != nil && err == nil {
		seen.answers.Store([2]string{r.root, question}, value)
	}
	return value, err
}

// known is the answer to a question that was asked already in a Still context.
func known[T any](ctx context.Context, r *runner, question string) (value T, ok bool) {
	seen := SeenIn(ctx)
	if seen == nil {
		return value, false
	}
	given, _ := seen.answers.Load([2]string{r.root, question})
	value, ok = given.(T)
	return value, ok
}
