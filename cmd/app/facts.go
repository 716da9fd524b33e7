package app

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/attempts"
	"autopilot/autopilot/budget"
	"autopilot/autopilot/closing"
	"autopilot/autopilot/machine"
	"autopilot/config"
	"autopilot/sessions"
	"autopilot/sessions/view"
)

// EndedName is the file in a session's folder that says how its last run ended. While one is at work, and after a kill -9,
// it is not there.
const EndedName = "ended.json"

// Facts are what a view of the session is made of, as far as no journal has to be read for it; cfg nil: no limit is known.
func (w *Workspace) Facts(s machine.State, cfg *config.Config) view.Facts {
	f := view.Facts{State: s, At: w.Host.Now(), Held: sessions.Held(w.Session)}
	if f.Held {
		f.Now, _ = sessions.ReadNow(w.Session) // it decides nothing
	} else {
		f.End = w.ended()
	}
	if cfg != nil {
		f.Limit, f.Budgets = limitOf(s, cfg, f.At), budgetsOf(s, cfg)
	}
	return f
}

// AllFacts are those with what the journal, the session's files and the repository tell besides, and the lines of its
// transcript.
func (w *Workspace) AllFacts(ctx context.Context, s machine.State) (view.Facts, []view.Line, error) {
	f := w.Facts(s, ConfigToLook(w.Host, w.Repo.Root()))
	footing, err := w.Footing(ctx, s)
	if err != nil {
		return f, nil, err
	}
	f.StackedOn, f.Base, f.Footing, f.Tasks = footing.On, footing.Into, footing.String(), closing.TaskMetrics(s, w.Session)
	past, lines, err := w.Transcript(ctx)
	f.Past = past
	return f, lines, err
}

// View is the view of the session, with what the journal tells, where it can be read.
func (w *Workspace) View(ctx context.Context, s machine.State) view.Session {
	f, _, err := w.AllFacts(ctx, s)
	if err != nil {
		f = w.Facts(s, nil)
	}
	return view.Of(f)
}

// Transcript reads the whole journal of the session; nil where an older program kept none.
func (w *Workspace) Transcript(ctx context.Context) (*view.Transcript, []view.Line, error) {
	past, lines := &view.Transcript{}, []view.Line{}
	_, err := sessions.Replay(w.Session, w.SessionOptions(ctx), func(before machine.State, e machine.Event, after machine.State) {
		lines = append(lines, past.Take(before, e, after)...)
	})
	if errors.Is(err, sessions.ErrNoJournal) {
		return nil, lines, nil
	}
	return past, lines, err
}

// ended is how the last run ended; nil where nothing says it.
func (w *Workspace) ended() *view.End {
	data, err := os.ReadFile(filepath.Join(w.Session, EndedName))
	var end view.End
	if err != nil || json.Unmarshal(data, &end) != nil || end.Reason == "" {
		return nil
	}
	return &end
}

// limitOf is what would keep a run from dispatching anybody now; nil where nothing does, or nobody is to be dispatched.
// It waits where that is a limit which a run waits out.
func limitOf(s machine.State, cfg *config.Config, now time.Time) *view.Limit {
	if s.CurrentState == machine.Done {
		return nil
	}
	set := Settings(cfg)
	limit := attempts.OverBudget(s, set.Limits, now)
	if limit == nil || takenOver(s, cfg, limit.Backend, now) {
		return nil
	}
	text, _, _ := strings.Cut(limit.What, "; ")
	return &view.Limit{
		Text: text, Backend: limit.Backend, Until: limit.Until, Flags: limit.Raise,
		Waits: !limit.Until.IsZero() && limit.Until.Sub(now) <= set.LongestWait,
	}
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

// budgetsOf are the session's budgets beside what was used of them.
func budgetsOf(s machine.State, cfg *config.Config) []view.Budget {
	var budgets []view.Budget
	names := []string{"cost", "tokens", "dispatches", "duration"}
	for i, b := range budget.Budgets(s, BudgetLimits(cfg.Limits), "")[:len(names)] {
		if b.Most > 0 {
			budgets = append(budgets, view.Budget{Name: names[i], Used: b.Used, Of: b.Most})
		}
	}
	return budgets
}
