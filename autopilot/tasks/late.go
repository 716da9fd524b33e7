package tasks

import (
	"context"
	"slices"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions/taskfile"
)

// late is whose leases are past at a moment, and who is at work all the same: the machine was suspended, and they have not
// renewed them yet. A lease that ends while the workers are looked for is left for the next look.
type late struct {
	at     time.Time
	atWork []string
}

// recoverOrphans takes over what is in progress for somebody who is gone.
func (r recovery) recoverOrphans(ctx context.Context) error {
	list, err := r.file.Read()
	if err != nil {
		return err
	}
	who, err := r.whoIsLate(ctx, list)
	if err != nil {
		return err
	}
	return r.recoverAll(ctx, list, func(list *taskfile.TaskList, t taskfile.ListedTask) bool {
		return t.Status == machine.TaskRunning && (!list.Config.IsConcurrent() || t.Past(who.at, who.atWork...))
	})
}

// whoIsLate looks for the workers whose leases are past. Nobody can take a worker's name meanwhile.
func (r recovery) whoIsLate(ctx context.Context, list taskfile.TaskList) (late, error) {
	who := late{at: r.claims.now()}
	var names []string
	for _, t := range list.Tasks {
		if t.Past(who.at) && t.ClaimedBy != nil && *t.ClaimedBy != r.claims.worker {
			names = append(names, *t.ClaimedBy)
		}
	}
	if len(names) == 0 || r.notes.alone {
		return who, nil
	}
	release, err := r.line.line.Lock(ctx)
	if err != nil {
		return who, err
	}
	defer release()
	who.atWork = slices.DeleteFunc(names, func(name string) bool { return !r.line.line.AtWork(name) })
	return who, nil
}
