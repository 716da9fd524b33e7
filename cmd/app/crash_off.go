//go:build !crash

package app

import "autopilot/sessions"

// seeded is the seam for the crash tests, which put bugs into the store; the program itself has none.
func seeded(o sessions.Options) sessions.Options { return o }
