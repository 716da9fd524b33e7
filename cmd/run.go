package cmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"autopilot/autopilot"
	"autopilot/autopilot/branches"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/shell"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/cmd/live"
	"autopilot/config"
	"autopilot/sessions"
	"autopilot/sessions/atwork"
	"autopilot/sessions/storage"
)

type runOptions struct {
	*app.RunFlags

	fast, thorough, reviewPlans bool
	yes, dryRun                 bool
	worktree, restart, pr       bool

	shown  live.Flags
	wish   string                  // form.EditPlan or form.DraftPlan: the person left the run's question for it
	view   *live.Live              // at a person's terminal; nil: there is none
	stop   context.CancelCauseFunc // ends the run as Ctrl-C does
	AtWork *atwork.Board           // what the run does at this moment
	store  journal.Store           // of events; nil: the session itself

	recast func(*autopilot.Engine) // of a simulation: puts its own people into the engine; they need no backend
}

func newRunOptions(h *console.Host) *runOptions { return &runOptions{RunFlags: &app.RunFlags{Host: h}} }

// flags are those of run, which the bare command has too.
func (o *runOptions) flags(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&o.fast, "fast", false, "skip the verifier, and don't ask you to approve plans")
	f.BoolVar(&o.thorough, "thorough", false, "ask you to approve every plan, also stop for important findings, and check in a fresh worktree too")
	f.BoolVar(&o.reviewPlans, "review-plans", false, "ask you to approve every plan")
	o.WorkFlags(f)
	o.BackendFlags(f, "for all agents: one from the configuration, a known server, or an agent program such as claude")
	f.BoolVar(&o.yes, "yes", false, "continue from phase to phase, and don't ask about a pull request at the end; every other question still waits for you")
	f.BoolVar(&o.NonInteractive, "non-interactive", false, "at a question, print it and how to answer it, save, and exit with 3")
	f.BoolVar(&o.dryRun, "dry-run", false, "print the agent runs and questions to expect; send and write nothing")
	f.BoolVar(&o.Quiet, "quiet", false, "print only phases, questions and what went wrong")
	f.BoolVar(&o.worktree, "worktree", false, "work in a separate worktree, .harness/worktrees/<name>, so that you can keep working in yours")
	f.BoolVar(&o.restart, "restart", false, "archive the session and start over")
	f.BoolVar(&o.pr, "pr", false, "when the session is done, push the branch and open a pull request with gh; works for a finished session too")
	o.shown.Declare(f)
	app.DeclareLimits(f, ", in all runs of the session")
	app.DeclarePhaseLimits(f, ", in all runs of the session")
	f.StringVar(&o.Record, "record", "", "save the model's answers as `DIR`/replay.yaml, for --replay")
	f.Int("parallel", 0, "run up to `N` tasks of a phase at the same time (default 1; config key parallel)")
	f.Int("pause-every", 0, "pause and ask you after every `N` agent runs (default never; config key pause_every)")
}

// runRun runs or resumes a session and shows how it ended. Then comes its pull request.
func runRun(ctx context.Context, o *runOptions, args []string) error {
	if o.fast && o.thorough {
		return console.UsageError("--fast and --thorough exclude each other: leave one out")
	}
	if len(args) != 1 || args[0] == "" {
		return console.UsageError("one spec at a time: autopilot docs/spec.md")
	}
	if err := o.shown.Check(); err != nil {
		return err
	}
	o.JSON = o.JSON || o.shown.Progress == "json"
	if o.dryRun {
		return dryRun(ctx, o, args[0])
	}
	w, err := app.FindToRun(ctx, o.Host, args[0])
	if err != nil {
		return err
	}
	cfg, warnings, err := o.configure(w)
	if err != nil {
		return err
	}
	engine, done, err := o.runSession(ctx, w, cfg, warnings)
	if err != nil || !done || o.pr {
		return err
	}
	return o.offerPR(ctx, w, cfg, engine)
}

// runSession holds the session and its working tree while the engine runs. It says whether this run brought the session to
// its end.
func (o *runOptions) runSession(ctx context.Context, w *app.Workspace, cfg *config.Config, warnings []string) (engine *autopilot.Engine, done bool, err error) {
	if err := o.canMakePR(ctx, w); err != nil {
		return nil, false, err
	}
	tree, err := o.takeTree(ctx, w, cfg)
	if err != nil {
		return nil, false, err
	}
	defer tree.Close()
	if err := tree.For(shell.QuotePath(w.Rel)); err != nil {
		return nil, false, err
	}
	session, remarks, err := o.openOrBegin(ctx, w, cfg)
	if err != nil {
		return nil, false, err
	}
	defer session.Close()
	ctx, o.stop = context.WithCancelCause(ctx)
	defer o.stop(nil)
	if !o.JSON {
		if o.view, err = o.liveView(ctx, w, cfg, session); err != nil {
			return nil, false, err
		}
	}
	engine, err = newEngine(ctx, o, w, cfg, session)
	if o.view != nil {
		o.view.Begin(ctx)
		defer o.view.End()
	}
	if err != nil {
		return nil, false, err
	}
	told := o.notices(w, cfg, session, engine)
	defer told.Close()
	if o.recast != nil {
		o.recast(engine)
	}
	for _, line := range append(append(warnings, remarks...), session.Repairs()...) {
		engine.Journal.Report.Report(journal.Note{Event: "info", Text: line})
	}
	engine.Trees().TellLacks(w.Lacks)
	if err := engine.Asides().EndAside(ctx); err != nil {
		return nil, false, err
	}
	before := session.State().Revision
	if err := beginRun(w); err != nil {
		return nil, false, err
	}
	err = o.watched(ctx, w, engine)
	if played, is := engine.Backends.(*app.Backends); is && err == nil {
		err = played.LeftOver(w.Session)
	}
	if o.view != nil {
		o.view.End()
	}
	end := noteEnd(ctx, engine, err)
	if o.recast == nil {
		for _, line := range o.KeepTrust(ctx, o.Backends(w.Repo.Root(), cfg, nil), w, session.State()) {
			engine.Journal.Report.Report(journal.Note{Event: "info", Text: line})
		}
	}
	o.show(ctx, w, cfg, session.State(), err)
	told.Ended(end.ExitCode, end.Reason)
	if err == nil && o.pr {
		err = engine.PullRequest().Make(ctx)
	}
	return engine, session.State().Revision > before, o.afterLimit(w, o.said(ctx, session.State(), err))
}

// configure reads the configuration with the flags on top.
func (o *runOptions) configure(w *app.Workspace) (*config.Config, []string, error) {
	flags, err := o.ConfigFlags()
	if err != nil {
		return nil, nil, err
	}
	cfg, report, err := app.LoadConfig(o.Host, w.Repo.Root(), o.ConfigFile, flags)
	return cfg, report.Warnings, err
}

// rigor is what the flags say, else the configuration.
func (o *runOptions) rigor(cfg *config.Config) machine.Rigor {
	return app.Rigor(cfg, o.fast, o.thorough)
}

// openOrBegin resumes the spec's session, or begins one.
func (o *runOptions) openOrBegin(ctx context.Context, w *app.Workspace, cfg *config.Config) (*sessions.Session, []string, error) {
	if !o.restart {
		session, err := app.TakeLock(func() (*sessions.Session, error) { return sessions.Open(w.Session, w.SessionOptions(ctx)) })
		if err == nil {
			return o.resumed(ctx, w, cfg, session)
		}
		if !errors.Is(err, sessions.ErrNoSession) {
			return nil, nil, w.Busy(err)
		}
		if found := w.Older(); found != w.Session {
			return o.adopt(ctx, w, cfg, found)
		}
	}
	return o.begin(ctx, w, cfg)
}

// resumed refuses a session that is another spec's, or was begun with other wishes, or would run or reach what the user did not
// agree to.
func (o *runOptions) resumed(ctx context.Context, w *app.Workspace, cfg *config.Config, session *sessions.Session) (*sessions.Session, []string, error) {
	err := errors.Join(w.SameSpec(session.State()), o.sameWishes(session.State()))
	var remarks []string
	if err == nil && o.recast == nil {
		remarks, err = o.AskTrust(ctx, o.Backends(w.Repo.Root(), cfg, nil), w.Work, w.Granted(session.State()))
	}
	if err != nil {
		return nil, nil, errors.Join(err, session.Close())
	}
	return session, remarks, nil
}

// begin makes a new session. Whatever refuses it does so before an old one is archived.
func (o *runOptions) begin(ctx context.Context, w *app.Workspace, cfg *config.Config) (*sessions.Session, []string, error) {
	if _, _, _, err := autopilot.ReadNewSpec(w.Repo.Root(), w.Spec); err != nil {
		return nil, nil, err // before a word about branches, which a mistyped path would not deserve
	}
	if !o.restart {
		if err := w.NotRenamed(); err != nil {
			return nil, nil, err
		}
	}
	over, err := o.startedOver(ctx, w)
	if err != nil {
		return nil, nil, err
	}
	first, remarks, err := autopilot.Begin(ctx, w.Repo, autopilot.Order{
		Spec: w.Spec, Rigor: o.rigor(cfg), ReviewPlans: o.reviewPlans || cfg.ReviewPlans, AllowDirty: o.AllowDirty,
		Retries: cfg.Retries, SessionID: app.NewID(), WorkTree: w.WorkTree, Over: over,
	})
	if err != nil {
		return nil, nil, err
	}
	if o.recast == nil {
		if _, err := o.AskTrust(ctx, o.Backends(w.Repo.Root(), cfg, nil), w.Work, nil); err != nil {
			return nil, nil, err
		}
		if err := o.canDispatch(ctx, w, cfg); err != nil {
			return nil, nil, err
		}
	}
	if o.restart {
		if err := archive(w); err != nil {
			return nil, nil, err
		}
	}
	if err := w.Repo.Exclude(ctx, app.RunData...); err != nil {
		return nil, nil, err
	}
	session, err := sessions.Create(w.Session, first, app.SessionOptions(o.Host))
	if errors.Is(err, fs.ErrPermission) {
		return nil, nil, console.UsageError("%v%s", err, console.Remedy(err))
	}
	if err != nil {
		return nil, nil, err
	}
	text, err := plainfile.Read(w.Spec)
	if err == nil {
		_, err = session.WriteSpec(text)
	}
	indexed := sessions.WriteIndex(w.Harness, app.SessionOptions(o.Host))
	if _, ok := errors.AsType[*plainfile.LinkError](indexed); ok {
		indexed = nil // the engine tells it each time
	}
	if err = errors.Join(err, indexed); err != nil {
		return nil, nil, errors.Join(err, session.Close())
	}
	return session, remarks, nil
}

// sameWishes refuses a rigor or a wish for plan reviews other than those that the session began with.
func (o *runOptions) sameWishes(s machine.State) error {
	wished := map[bool]machine.Rigor{o.fast: machine.Fast, o.thorough: machine.Thorough}[true]
	if wished != "" && wished != s.RigorLevel {
		return console.UsageError("the session began with rigor %s, and that can't change. Leave --%s out, or start over with --restart", s.RigorLevel, wished)
	}
	if o.reviewPlans && !s.ReviewPlans {
		return console.UsageError("the session began without --review-plans, and that can't change. Leave it out, or start over with --restart")
	}
	return nil
}

// archive moves the session aside, for --restart. That of another spec stays.
func archive(w *app.Workspace) error {
	s, _, err := sessions.Read(w.Session, app.SessionOptions(w.Host))
	if errors.Is(err, sessions.ErrNoSession) {
		return nil
	}
	if err == nil {
		if err := w.NotAnothers(s); err != nil {
			return err
		}
	}
	to, err := sessions.Archive(w.Session, filepath.Join(w.Harness, "archive", "sessions"), w.Host.Now)
	if err == nil {
		fmt.Fprintf(w.Host.Err, "The session was archived as %s\n", plainfile.Rel(w.Repo.Root(), to))
	}
	return err
}

// takeTree finds the working tree that the session works in, makes it where --worktree asks for a new one, and makes
// sure that no other run works there.
func (o *runOptions) takeTree(ctx context.Context, w *app.Workspace, cfg *config.Config) (*storage.Lock, error) {
	state, _, err := sessions.Read(w.Session, app.SessionOptions(o.Host))
	switch {
	case err == nil && !o.restart:
		if o.worktree && state.WorkTree == "" {
			return nil, console.UsageError("the session works in the repository's own working tree, and that can't change. Leave --worktree out, or start over with --restart")
		}
		if err := w.OpenTree(ctx, state); err != nil {
			return nil, err
		}
	case o.worktree:
		if o.recast == nil { // its setup runs at once
			if _, err := o.AskTrust(ctx, o.Backends(w.Repo.Root(), cfg, nil), w.Repo, nil); err != nil {
				return nil, err
			}
		}
		if err := w.MakeTree(ctx, cfg); err != nil {
			return nil, err
		}
	}
	return app.LockTree(w.Work, w.Host)
}

// adopt takes in what an older program left elsewhere, and says so: its plan is shown before anything of it runs.
func (o *runOptions) adopt(ctx context.Context, w *app.Workspace, cfg *config.Config, found string) (*sessions.Session, []string, error) {
	if err := w.Repo.Exclude(ctx, app.RunData...); err != nil {
		return nil, nil, err
	}
	if err := sessions.Adopt(found, w.Session, app.SessionOptions(w.Host)); err != nil {
		return nil, nil, err
	}
	said := fmt.Sprintf("Found %s of an older program, which names this spec: going on with its session. To start over instead: autopilot %s --restart",
		plainfile.Rel(w.Repo.Root(), found), shell.QuotePath(w.Rel))
	session, err := sessions.Open(w.Session, w.SessionOptions(ctx))
	if err != nil {
		return nil, nil, err
	}
	session, remarks, err := o.resumed(ctx, w, cfg, session)
	return session, append([]string{said}, remarks...), err
}

// startedOver is the unfinished session whose branch a new one of the same spec goes on with; without a branch there is none.
// It refuses to begin where the new one could not work, before anything is written.
func (o *runOptions) startedOver(ctx context.Context, w *app.Workspace) (machine.State, error) {
	old, _, err := sessions.Read(w.Session, app.SessionOptions(w.Host))
	if err != nil || old.CurrentState == machine.Done {
		old = machine.State{} // of one that can't be read nothing is known
	}
	others, err := w.Claims()
	if err != nil {
		return machine.State{}, err
	}
	g, err := branches.FindGround(ctx, w.Work, others, func(branch string) bool { return branch == old.Branch }, o.NoBranch)
	if err != nil || g.Branch != old.Branch {
		return machine.State{}, err
	}
	return old, nil
}
