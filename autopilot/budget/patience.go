package budget

import (
	"context"
	"errors"
	"strings"
	"time"

	"autopilot/personas"
)

const (
	// nap is how long the program sleeps before it looks at the clock again: the machine may have been suspended meanwhile.
	nap = time.Minute
	// maxFruitless is how often a limit is waited out in a row when it is met again by the next dispatch.
	maxFruitless = 3
)

// Patience waits until limits of backends are over.
type Patience struct {
	Now     func() time.Time
	Sleep   func(context.Context, time.Duration) error // returns early, with an error, when the context ends
	Say     func(text string, limit *LimitError)       // that a wait begins
	Longest time.Duration                              // 0: nothing is waited out

	Waited
}

// Waited is what is known of the limits that were met in a row.
type Waited struct {
	Fruitless int       `json:"fruitless,omitempty"` // how many were waited out
	Out       time.Time `json:"out,omitzero"`        // since when a backend has been out of order; zero: none is
}

// Progress tells that a dispatch came through.
func (p *Patience) Progress() { p.Waited = Waited{} }

// Wait waits where a run ended by a limit that is over soon enough, and says whether to go on; else it returns the error
// that it was given, or that of Sleep. Everything has to be saved: where the run is killed meanwhile, the next one waits.
func (p *Patience) Wait(ctx context.Context, ended error) (bool, error) {
	var limit *LimitError
	if !errors.As(ended, &limit) || !p.Bears(limit) {
		return false, ended
	}
	what, _, _ := strings.Cut(limit.What, "\n")
	p.Say(personas.Sentences(what, "Waiting until "+limit.Until.Local().Format("2006-01-02 15:04:05"),
		"Everything is saved: Ctrl-C stops, and the same command goes on"), limit)
	// Where the clock is set back meanwhile, it is not waited for longer than was meant.
	most := limit.Until.Sub(p.Now())
	for left := most; left > 0 && most > 0; left = limit.Until.Sub(p.Now()) {
		pause := min(left, most, nap)
		if err := p.Sleep(ctx, pause); err != nil {
			return false, err
		}
		most -= pause
	}
	return true, nil
}

// Bears says whether a limit is to be waited out, and counts it: one without an end is not, and neither is one that lasts too long, or
// is met again and again.
func (p *Patience) Bears(limit *LimitError) bool {
	if limit.Until.IsZero() || limit.Until.Sub(p.since(limit)) > p.Longest || p.Fruitless == maxFruitless {
		return false
	}
	if !limit.Down || limit.Begun { // of an outage nobody said when it ends: a look in vain is no broken promise
		p.Fruitless++
	}
	return true
}

// Fields are what programs are told of a wait for a limit.
func (e *LimitError) Fields() map[string]any {
	return map[string]any{"backend": e.Backend, "until": e.Until, "outage": e.Down}
}

// since is what a wait is counted from: all looks at a backend that is out of order are one wait.
func (p *Patience) since(limit *LimitError) time.Time {
	switch {
	case !limit.Down:
		return p.Now()
	case p.Out.IsZero():
		p.Out = p.Now()
	}
	return p.Out
}
