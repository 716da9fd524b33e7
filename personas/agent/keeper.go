package agent

import (
	"context"
	"fmt"
	"sync"

	"autopilot/personas"
)

const (
	silentWindow = 4_096  // what servers load that cut silently and do not say, in tokens
	smallWindow  = 16_384 // below it an agent hardly works
)

// windowKeeper keeps what is known of a model's window over all dispatches of its backend. It is safe for concurrent use.
type windowKeeper struct {
	ask  func(context.Context) personas.Window // the server; nil: it is not to be asked
	warn func(text string)                     // may be nil

	mu    sync.Mutex
	now   personas.Window
	asked bool
	said  bool
}

// begin takes the configured window, which alone counts where there is one, else that of a known model.
func (k *windowKeeper) begin(configured int, model string) *windowKeeper {
	if configured > 0 {
		k.ask, k.now = nil, personas.Window{Tokens: configured, Source: "as window of its backend says"}
		return k
	}
	k.now.Tokens = assumedWindow
	if n := WindowOf(model); n > 0 {
		k.now = personas.Window{Tokens: n, Source: "as is known of " + model}
	}
	return k
}

// of is the window as it is known. The server is asked once; one that cuts silently, until it tells: it knows it only of a
// model that is loaded.
func (k *windowKeeper) of(ctx context.Context) personas.Window {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ask == nil || k.asked && (!k.now.Silent || k.now.Source != "") {
		return k.now
	}
	k.asked = true
	switch w := k.ask(ctx); {
	case w.Tokens > 0:
		k.now = w
	case w.Silent:
		w.Tokens = silentWindow
		k.now = w
	}
	return k.now
}

// loaded takes the window up once a model has answered, and is loaded for sure. One that is cut silently is said once where
// it is small.
func (k *windowKeeper) loaded(ctx context.Context, m *meter) {
	w := k.of(ctx)
	m.learn(w)
	if w.Silent && w.Tokens < smallWindow {
		k.say(fmt.Sprintf("The model's window has only %d tokens, and its server cuts what is longer without a word. To make it larger: %s.", w.Tokens, w.Remedy))
	}
}

// cut notes that a server counted much less than was sent.
func (k *windowKeeper) cut(m *meter) {
	k.shrink(m.window, m.source)
	k.say(fmt.Sprintf("The server cuts prompts without a word: it counted %d tokens where more were sent. That is taken for the model's window from now on. "+
		"If it is wrong, start the server with a larger window.", m.window))
}

// shrink notes what a server took too much of.
func (k *windowKeeper) shrink(tokens int, source string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if tokens < k.now.Tokens {
		k.now.Tokens, k.now.Source = tokens, source
	}
}

// say tells people one thing about the window, once.
func (k *windowKeeper) say(text string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.warn != nil && !k.said {
		k.warn(text)
	}
	k.said = true
}
