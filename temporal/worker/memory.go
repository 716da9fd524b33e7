package worker

import (
	"context"
	"fmt"
)

// memory has the clone and the hub share the project's memory. No step fails for it: the next one tries again.
func (d *desk) memory(ctx context.Context, share func(context.Context) error) {
	if err := share(ctx); err != nil {
		fmt.Fprintf(d.log(), "Couldn't share learnings with the remote, retrying at the next step: %v\n", err)
	}
}
