package autopilot

import (
	"context"
	"time"

	"autopilot/autopilot/machine"
)

// wishEvery is how often a run that waits looks whether it is to stop.
const wishEvery = time.Second

// untilStop waits until a person wishes that the run stops; false: the context ended.
func untilStop(ctx context.Context, in Inbox) bool {
	ticker := time.NewTicker(wishEvery)
	defer ticker.Stop()
	for {
		if in.Wished(machine.WishStop) {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-ticker.C:
		}
	}
}
