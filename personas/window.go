package personas

import "context"

// Window is how long a conversation with a model may be.
type Window struct {
	Tokens int    // 0: not known
	Source string // how it is known, for people, such as "as its server says"; "": it is assumed
	Remedy string // what a person does for a larger one; "": that depends on the model
	Silent bool   // the server cuts what is longer without a word
}

// WindowOf is how many tokens the model of a backend takes, as far as is known; 0: the agent sees to that itself.
func WindowOf(ctx context.Context, b Backend) int {
	w, ok := b.(interface{ Window(ctx context.Context) int })
	if !ok {
		return 0
	}
	return w.Window(ctx)
}
