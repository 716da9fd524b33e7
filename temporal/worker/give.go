package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"autopilot/autopilot/words"
	"autopilot/temporal/flow"
	"autopilot/temporal/hub"
)

// patience is how long the server may be away while an event is recorded, and for how long a hub may refuse what an agent did: somebody
// may be at work on its hooks.
const patience = 5 * time.Minute

// refusedError is what an agent did and the hub does not take. Another attempt would be paid for, and refused as well.
type refusedError struct {
	why  error
	kept string // the folder that has it
}

func (e *refusedError) Error() string {
	host, _ := os.Hostname() // an empty one is none
	return fmt.Sprintf("the remote refuses an agent's work: %s; copy its files from %s on %s before you continue", words.OneLine(e.why.Error()), e.kept, host)
}

// give gives the hub something.
func (d *desk) give(ctx context.Context, paid bool, save func(context.Context) error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.patiently(ctx, paid, save)
}

// patiently does something with the hub. What an agent did was paid for: it waits for a hub that is away as long as that takes, unless the
// act is called off.
func (d *desk) patiently(ctx context.Context, paid bool, do func(context.Context) error) error {
	var away, refusing, over time.Time // since when
	defer d.waits.Store(nil)
	for pause := time.Second; ; pause = min(2*pause, 30*time.Second) {
		err := do(ctx)
		if _, moved := errors.AsType[*hub.MovedError](err); err == nil || moved || !paid {
			return err
		}
		now, line := d.worker.Host.Now(), "waits for the remote: "+words.OneLine(err.Error())
		if away.IsZero() {
			away = now
			fmt.Fprintf(d.log(), "The work of an agent %s\n", line)
		}
		d.waits.Store(&line)
		_, refused := errors.AsType[*hub.RefusedError](err)
		switch {
		case !refused:
			refusing = time.Time{}
		case refusing.IsZero():
			refusing = now
		case now.Sub(refusing) >= patience:
			d.refused = &refusedError{err, d.clone.Dir + ".refused-" + now.UTC().Format("20060102T150405")}
			return d.refused
		}
		if over.IsZero() && d.ended != nil && d.ended() != nil {
			over = now
		}
		if calledOff := !over.IsZero() && now.Sub(over) >= patience; calledOff || d.worker.Host.Pause(ctx, pause) != nil {
			return err
		}
	}
}

// saveFor gives the hub what an event needs there: the working tree as it is, or as it was given. kept is up to which revision the hub
// has the journal: the one before the event, or 0.
func (d *desk) saveFor(ctx context.Context, before int64, as, branch string) (work string, kept int64, err error) {
	works, err := d.works(ctx, as)
	if err != nil {
		return "", 0, err
	}
	has, err := d.hub.SaveFor(ctx, works, d.own(branch))
	d.memory(ctx, d.hub.GiveMemory)
	if has {
		kept = before
	}
	return works[d.tree.Task], kept, err
}

// own is the run's branch, in its own working tree; "" is none.
func (d *desk) own(branch string) string {
	if d.act.Task != "" {
		return ""
	}
	return branch
}

// works is the working tree of the act as it is, or as it was kept.
func (d *desk) works(ctx context.Context, as string) (map[string]string, error) {
	if _, none := os.Stat(filepath.Join(d.tree.Dir, ".git")); as == "" && none == nil { // else the lane is not made yet
		var err error
		if as, err = d.hub.Keep(ctx, d.tree); err != nil {
			return nil, err
		}
	}
	works := map[string]string{}
	if as != "" {
		works[d.tree.Task] = as
	}
	return works, nil
}

// save gives the hub all that changed.
func (d *desk) save(ctx context.Context) error {
	return d.give(ctx, false, func(ctx context.Context) error {
		works, err := d.works(ctx, "")
		if err == nil {
			err = d.hub.Save(ctx, works, d.own(d.State().Branch))
			d.memory(ctx, d.hub.GiveMemory)
		}
		return err
	})
}

// saveWork gives the hub the working tree in the middle of the act.
func (d *desk) saveWork(ctx context.Context) (work string, saves int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	d.saving.Store(&cancel)
	saves = int(d.saves.Load()) // before it: what is recorded meanwhile has a newer tree
	work, err = d.hub.SaveWork(ctx, d.tree)
	return work, saves, err
}

// saveWorks gives the hub the working tree every so often. The next heartbeat tells which commit it is.
func (d *desk) saveWorks(ctx context.Context, every time.Duration) {
	if every <= 0 {
		return
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		work, saves, err := d.saveWork(ctx)
		if err != nil {
			fmt.Fprintf(d.log(), "Couldn't save the work so far, retrying in %s: %v\n", every, err)
			continue
		}
		d.left.Store(&flow.Left{Work: work, Saves: saves})
	}
}

// endSaving ends the saving in the middle of the act: its end is there.
func (d *desk) endSaving() {
	if cancel := d.saving.Load(); cancel != nil {
		(*cancel)()
	}
}
