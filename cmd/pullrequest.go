package cmd

import (
	"context"
	"errors"
	"os/exec"

	"autopilot/autopilot"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/pullrequest"
	"autopilot/autopilot/shell"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/sessions"
)

// canMakePR says before anything is dispatched whether --pr can be kept. A session that is done has nothing else to do: its
// pull request is tried at once.
func (o *runOptions) canMakePR(ctx context.Context, w *app.Workspace) error {
	if !o.pr {
		return nil
	}
	if s, err := w.Read(ctx); err == nil && !o.restart && machine.Next(s).Name == machine.StepEnd {
		return nil
	}
	if w.Repo.Config.RemoteURL(ctx, "origin") == "" {
		return console.UsageError("--pr pushes to the remote origin, and there is none\nAdd it: git remote add origin URL. Or leave --pr out")
	}
	err := github{host: o.Host, repo: w.Repo}.ready(ctx)
	switch {
	case err == nil || ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, pullrequest.ErrNoForge):
		return console.UsageError("--pr needs gh, and %v\nInstall it (https://cli.github.com) and log in: gh auth login. Or leave --pr out", err)
	}
	return console.UsageError("--pr needs gh, and it can't be used here: %v\nSee what is wrong: gh auth status. Or leave --pr out", err)
}

// offerPR asks the person at the terminal about a pull request of a session that came to its end, and makes it after a yes.
// Where nobody is asked, or the answer is no, the commands are printed. Nothing is held while the question is open.
func (o *runOptions) offerPR(ctx context.Context, w *app.Workspace, cfg *config.Config, e *autopilot.Engine) error {
	if s := e.Journal.State(); s.Branch == "" || !w.Repo.History.Exists(ctx, "refs/heads/"+s.Branch) {
		return nil
	}
	question, err := e.PullRequest().Offer(ctx)
	if err != nil || question == "" {
		return err
	}
	yes := false
	if _, missing := exec.LookPath("gh"); missing == nil && !o.yes && w.Repo.Config.RemoteURL(ctx, "origin") != "" {
		yes, err = e.Human.Confirm(ctx, question)
	}
	if yes && err == nil {
		return o.makePR(ctx, w, cfg, e)
	}
	e.PullRequest().Tell(ctx)
	if ctx.Err() != nil {
		return &halt.InterruptedError{Cause: context.Cause(ctx)}
	}
	return err
}

// makePR takes the session and its working tree again for the pull request.
func (o *runOptions) makePR(ctx context.Context, w *app.Workspace, cfg *config.Config, asked *autopilot.Engine) error {
	tree, err := app.LockTree(w.Work, w.Host)
	if err == nil {
		defer tree.Close()
		var session *sessions.Session
		if session, err = sessions.Open(w.Session, w.SessionOptions(ctx)); err == nil {
			defer session.Close()
			return o.makeHeldPR(ctx, w, cfg, asked, session)
		}
	}
	asked.PullRequest().Tell(ctx)
	return err
}

// makeHeldPR makes the pull request, unless another run went on with the session, or began it anew, while the question was
// open.
func (o *runOptions) makeHeldPR(ctx context.Context, w *app.Workspace, cfg *config.Config, asked *autopilot.Engine, session *sessions.Session) error {
	before, now := asked.Journal.State(), session.State()
	if now.SessionID != before.SessionID || machine.Next(now).Name != machine.StepEnd {
		return console.UsageError("another run went on with the session meanwhile, so no pull request was made\nOnce it is done: autopilot %s --pr", shell.QuotePath(w.Rel))
	}
	engine, err := newEngine(ctx, o, w, cfg, session)
	if err != nil {
		return err
	}
	return engine.PullRequest().Make(ctx)
}
