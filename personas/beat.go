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
