package cmd

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"autopilot/autopilot"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/personas"
	"autopilot/sessions"
	"autopilot/sessions/view"
)

// stoppedBy are the signals that end a run, in words.
var stoppedBy = map[os.Signal]string{
	os.Interrupt: "stopped by Ctrl-C", syscall.SIGTERM: "stopped by SIGTERM", syscall.SIGHUP: "stopped: its terminal was closed",
}

// watched runs the engine, and keeps in now.json what it does at the moment.
func (o *runOptions) watched(ctx context.Context, w *app.Workspace, engine *autopilot.Engine) error {
	keeping, end := context.WithCancel(ctx)
	var kept sync.WaitGroup
	kept.Go(func() {
		o.AtWork.Keep(keeping, personas.Sleep, func(n view.Now) { _ = sessions.WriteNow(w.Session, n) })
	})
	err := engine.Run(ctx)
	end()
	kept.Wait()
	sessions.RemoveNow(w.Session)
	if _, interrupted := errors.AsType[*halt.InterruptedError](err); interrupted && sessions.Wished(w.Session, machine.WishStop) {
		err = &halt.StoppedError{Where: autopilot.Where(engine.Journal.State())} // by autopilot stop --now
	}
	dropWishes(w)
	return err
}

// noteEnd writes down how a run ended, for why; a question says it by itself.
func noteEnd(ctx context.Context, e *autopilot.Engine, err error) (end view.End) {
	end = view.End{Time: e.Now().UTC(), ExitCode: console.ExitCode(ctx, err), Reason: "the last run was done"}
	if err != nil {
		end.Reason = err.Error()
	}
	if _, waiting := errors.AsType[*halt.WaitingError](err); waiting {
		end.Reason = "it stopped at a question"
	}
	_, wished := errors.AsType[*halt.StoppedError](err)
	if s, ok := console.SignalOf(ctx); ok && !wished {
		end.Reason = cmp.Or(stoppedBy[s], "stopped by a signal: "+s.String())
	}
	_ = e.Records.WriteJSON(app.EndedName, end) // the run has ended already, and its error says why
	return end
}

// beginRun forgets how the last run ended, and makes the folder that answers can be put into.
func beginRun(w *app.Workspace) error {
	if err := os.Remove(filepath.Join(w.Session, app.EndedName)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	dropWishes(w) // nobody was there for them
	return plainfile.MakeFolder(filepath.Join(w.Session, "inbox"))
}

func dropWishes(w *app.Workspace) {
	for _, wish := range sessions.Wishes {
		sessions.DropWish(w.Session, wish)
	}
}
