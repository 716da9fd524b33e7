package personas

import "context"

type beatKey struct{}

// WithBeat returns a context in which Beat calls f.
func WithBeat(ctx context.Context, f func()) context.Context {
	return context.WithValue(ctx, beatKey{}, f)
}

// Beat is a model's sign of life inside a long turn (a streamed piece, a
// deliberate wait), so that an idle limit does not end a dispatch that works.
func Beat(ctx context.Context) {
	if f, ok := ctx.Value(beatKey{}).(func()); ok {
		f()
	}
}

type spendKey struct{}

// WithSpending returns a context in which Spend calls f.
func WithSpending(ctx context.Context, f func(Usage)) context.Context {
	return context.WithValue(ctx, spendKey{}, f)
}

// Spend is how a model tells, inside a turn, what a try used that came to nothing, so that a budget can end the turn
// before the next one. It says whether somebody listens; what was told is not told again.
func Spend(ctx context.Context, u Usage) bool {
	f, ok := ctx.Value(spendKey{}).(func(Usage))
	if ok && u != (Usage{}) {
		f(u)
	}
	return ok
}
