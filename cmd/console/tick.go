package console

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"autopilot/autopilot/words"
)

// Tick shows, while a command is at work, for how long it printed nothing by h.Out and h.Err: at a terminal each second, in a row
// that the next line replaces; else each minute, in a line. What it returns ends that.
func (h *Host) Tick(ctx context.Context) (end func()) {
	t := &ticking{h: h, row: Unguarded(h.Err), last: h.Now(), begun: true}
	every := time.Minute
	if h.Terminal && h.Getenv("TERM") != "dumb" {
		every, t.inPlace = time.Second, true
	}
	out, err := h.Out, h.Err
	h.Out, h.Err = ticked{t, out}, ticked{t, err}
	ctx, stop := context.WithCancel(ctx)
	var shown sync.WaitGroup
	shown.Go(func() {
		for h.Pause(ctx, every) == nil {
			t.show(err, every)
		}
	})
	return func() {
		stop()
		shown.Wait()
		t.clear()
		h.Out, h.Err = out, err
	}
}

// ticking is how long nothing was printed, and whether a row says it.
type ticking struct {
	h       *Host
	row     io.Writer
	inPlace bool

	mu    sync.Mutex
	last  time.Time // that something was printed
	begun bool      // the cursor is at the beginning of a line
	shown bool
}

func (t *ticking) show(err io.Writer, every time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	silent := t.h.Now().Sub(t.last)
	switch {
	case silent < every || !t.begun:
	case t.inPlace:
		t.shown = true
		fmt.Fprintf(t.row, "\r\x1b[K  %s", words.Elapsed(silent))
	default:
		fmt.Fprintf(err, "Still at work, for %s\n", words.Elapsed(silent))
	}
}

func (t *ticking) clear() {
	if t.shown {
		fmt.Fprint(t.row, "\r\x1b[K")
	}
	t.shown = false
}

// ticked is an output beside which time is shown.
type ticked struct {
	*ticking
	to io.Writer
}

func (t ticked) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.clear()
	t.last, t.begun = t.h.Now(), len(p) > 0 && p[len(p)-1] == '\n'
	return t.to.Write(p)
}
