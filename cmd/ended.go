package cmd

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"autopilot/autopilot"
	"autopilot/autopilot/attempts"
	"autopilot/autopilot/budget"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/config"
)

// endedName is the file in a session's folder that says how its last run ended. While one is at work, and after a kill -9,
// it is not there.
const endedName = "ended.json"

// ended is how a run ended.
type ended struct {
	Time     time.Time `json:"time"`
	ExitCode int       `json:"exitCode"`
	Reason   string    `json:"reason"`
}

// stoppedBy are the signals that end a run, in words.
var stoppedBy = map[os.Signal]string{
	os.Interrupt: "stopped by Ctrl-C", syscall.SIGTERM: "stopped by SIGTERM", syscall.SIGHUP: "stopped: its terminal was closed",
}

// noteEnd writes down how a run ended, for why; a question says it by itself.
func noteEnd(ctx context.Context, e *autopilot.Engine, err error) (end ended) {
	if err == nil {
		return end
	}
	end = ended{Time: e.Now().UTC(), ExitCode: console.ExitCode(ctx, err), Reason: err.Error()}
	if s, ok := console.SignalOf(ctx); ok {
		end.Reason = cmp.Or(stoppedBy[s], "stopped by a signal: "+s.String())
	}
	_ = e.Records.WriteJSON(endedName, end) // the run has ended already, and its error says why
	return end
}

// beginRun forgets how the last run ended, and makes the folder that answers can be put into.
func beginRun(w *app.Workspace) error {
	if err := os.Remove(filepath.Join(w.Session, endedName)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return plainfile.MakeFolder(filepath.Join(w.Session, "inbox"))
}

// lastEnd is how the last run ended; false where nothing says it.
func lastEnd(w *app.Workspace) (ended, bool) {
	var end ended
	data, err := os.ReadFile(filepath.Join(w.Session, endedName))
	return end, err == nil && json.Unmarshal(data, &end) == nil && end.Reason != ""
}

// overBudget is what would keep a run from dispatching anybody now; nil where nothing does, or nobody is to be dispatched.
// It waits where that is a limit which a run waits out.
func overBudget(w *app.Workspace, s machine.State) (limit *budget.LimitError, waits bool) {
	cfg, _, err := app.LoadConfig(w.Host, w.Repo.Root(), "", nil)
	if err != nil || s.CurrentState == machine.Done {
		return nil, false //nolint:nilerr // a run would say what is wrong with it
	}
	set, now := app.Settings(cfg), w.Host.Now()
	if limit = attempts.OverBudget(s, set.Limits, now); limit != nil && takenOver(s, cfg, limit.Backend, now) {
		return nil, false
	}
	return limit, limit != nil && !limit.Until.IsZero() && limit.Until.Sub(now) <= set.LongestWait
}

// takenOver says whether a fallback of the persona that comes next, of which no limit is known, takes the place of a
// backend that is limited.
func takenOver(s machine.State, cfg *config.Config, limited string, now time.Time) bool {
	fallback := cfg.Personas[machine.Next(s).Persona].Fallback
	return limited != "" && slices.ContainsFunc(fallback, func(name string) bool {
		known, ok := s.LimitOf(name)
		return name != limited && (!ok || !now.Before(known.Until))
	})
}
