package cmd

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"autopilot/sessions"
	"autopilot/sessions/storage"
	"autopilot/temporal/hub"
)

// giveMemory gives the hub what sessions learned in this clone, so that workers know it. Nobody needs that for a session.
func (r *remote) giveMemory(ctx context.Context, f *fleet) {
	s, err := hub.Here(ctx, r.place.Repo.Root(), r.place.Slug, f.Environ)
	if err == nil {
		err = s.GiveMemory(ctx)
	}
	if err != nil {
		fmt.Fprintf(f.Err, "Couldn't push the learnings of this clone: %v\n", err)
	}
}

// bringMemory brings what sessions learned elsewhere. While a session runs here, its agent would be blamed for the change.
func (r *remote) bringMemory(ctx context.Context, f *fleet, there *hub.Session) {
	all, err := storage.Below(storage.OSDisk{}, r.place.Harness, "sessions", "*")
	if err == nil && slices.ContainsFunc(all, sessions.Held) {
		err = errors.New("autopilot is running in this clone; fetch again when it has ended")
	}
	if err == nil {
		err = there.TakeMemory(ctx)
	}
	if err != nil {
		fmt.Fprintf(f.Err, "Couldn't get the learnings of other machines: %v\n", err)
	}
}
