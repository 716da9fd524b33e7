package app

import (
	"cmp"
	"slices"
	"time"

	"autopilot/personas"
)

// names are the backends that can play a persona, the first choice first.
func (b *Backends) names(p personas.Persona) ([]string, error) {
	own := b.Cfg.Personas[string(p.Name)]
	name := cmp.Or(b.Name, own.Backend, p.Backend, b.Cfg.Backend, "auto")
	if name == "auto" {
		var err error
		if name, err = b.auto(); err != nil {
			return nil, err
		}
	}
	return append([]string{b.label(p, name)}, own.Fallback...), nil
}

// withModel stands in the name of a backend that a persona has with a model of its own: a limit of that need not hold for the
// others.
const withModel = " with model "

// label is the name of a persona's backend, for people and for limits.
func (b *Backends) label(p personas.Persona, name string) string {
	own := b.Cfg.Personas[string(p.Name)]
	if b.Replay != "" || own.Model == "" || slices.Contains(own.Fallback, name) {
		return name
	}
	return name + withModel + own.Model
}

// usable is the first of them that reports no limit now; where all do, the first.
func (b *Backends) usable(p personas.Persona) (string, error) {
	names, err := b.names(p)
	if err != nil {
		return "", err
	}
	return names[max(0, slices.IndexFunc(names, b.free))], nil
}

func (b *Backends) free(name string) bool {
	until, limited := b.limited[name]
	return !limited || !until.IsZero() && !b.Host.Now().Before(until)
}

// Limited notes a limit, and names the backend that takes over, else the one whose limit is over first, and when.
func (b *Backends) Limited(p personas.Persona, name string, until time.Time) (string, time.Time, bool) {
	if b.limited == nil {
		b.limited = map[string]time.Time{}
	}
	b.limited[name] = until
	names, err := b.names(p)
	if err != nil || b.Replay != "" {
		return name, until, false
	}
	if at := slices.IndexFunc(names, b.free); at >= 0 {
		return names[at], time.Time{}, true
	}
	next := slices.MinFunc(names, func(x, y string) int { return soonest(b.limited[x], b.limited[y]) })
	return next, b.limited[next], false
}

// soonest puts times in their order, and one that nobody knows behind all others.
func soonest(x, y time.Time) int {
	if x.IsZero() || y.IsZero() {
		return y.Compare(x)
	}
	return x.Compare(y)
}

const (
	shortWait = 10 * time.Second
	longWait  = 2 * time.Minute
)

// maxWait is the longest that a dispatch waits for its server between two tries, so that its conversation is not lost. A
// longer wait is a limit: it ends the dispatch, everything is saved, and the run waits, or another backend takes over.
// Where nothing is to be waited for, or another backend is there, that comes soon.
func (b *Backends) maxWait() time.Duration {
	for _, p := range b.Cfg.Personas {
		if len(p.Fallback) > 0 {
			return shortWait
		}
	}
	return min(longWait, max(shortWait, longestWait(b.Cfg.Limits.Wait)))
}
