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

// once asks, unless that was asked already in a Still context. What it answers is shared: it is not to be changed.
func once[T any](ctx context.Context, r *Repo, question string, ask func() (T, error)) (T, error) {
	seen := SeenIn(ctx)
	if seen == nil {
		return ask()
	}
	key := [2]string{r.root, question}
	if known, ok := seen.answers.Load(key); ok {
		return known.(T), nil
	}
	answer, err := ask()
	if err == nil {
		seen.answers.Store(key, answer)
	}
	return answer, err
}
