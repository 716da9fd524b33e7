package integrity

import "autopilot/autopilot/lazyregexp"

// The tables of patterns are long, so that they have a short word for it.
type lazyPattern = lazyregexp.Regexp

func lazily(text string) *lazyPattern { return lazyregexp.New(text) }
