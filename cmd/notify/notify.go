// Package notify has a person told what happens to a session while they are away: it makes the channels of a configuration, listens
// to a run, and is the command notify, which tries the channels.
//
// What a notice says, and how it is sent, is in sessions/notify.
//
//	told := notify.Begin(host, cfg, root, session, report)
//	defer told.Close()
//	engine.Human = told.Human(engine.Human)
//	root.AddCommand(notify.New(host))
package notify

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"autopilot/autopilot/git"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/sessions/notify"
)

type testOptions struct {
	console.Output
	trust bool
}

// New is the command notify.
func New(h *console.Host) *cobra.Command {
	c := &cobra.Command{
		Use: "notify", Short: "Test the notices that reach you while you are away", Example: "  autopilot notify test",
	}
	c.AddCommand(newTest(h))
	return c
}

func newTest(h *console.Host) *cobra.Command {
	o := &testOptions{Output: console.Output{Host: h}}
	c := o.WithJSON("one JSON array", &cobra.Command{
		Use: "test", Short: "Send a sample notice to each channel and show the result",
		Long:    "Sends a sample notice to each channel under notify in autopilot.yaml and in your own configuration, and shows whether it\narrived. Exit code 0: all were sent, 1: one failed.",
		Example: "  autopilot notify test\n  autopilot notify test --json", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return o.test(c.Context()) },
	})
	c.Flags().BoolVar(&o.trust, "trust", false, app.TrustFlag)
	return c
}

// tried is what happened with a channel.
type tried struct {
	Channel string `json:"channel"`
	Result  string `json:"result"` // sent, off, failed
	Why     string `json:"why,omitempty"`
}

func (o *testOptions) test(ctx context.Context) error {
	root, cfg, err := o.found(ctx)
	if err != nil {
		return err
	}
	about := notify.About{Repository: filepath.Base(root), At: o.Now()}
	results, code := []tried{}, 0
	for _, w := range ways(o.Host, cfg, root) {
		t := try(ctx, w, about.Sample())
		if t.Result == "failed" {
			code = 1
		}
		results = append(results, t)
	}
	if o.JSON {
		return errors.Join(o.Encode(results), console.Exit(code))
	}
	for _, t := range results {
		line := fmt.Sprintf("%-7s %s", t.Result, t.Channel)
		if t.Why != "" {
			line += ": " + console.OneLine(console.Clean(t.Why))
		}
		if err := o.Say("%s", line); err != nil {
			return err
		}
	}
	return console.Exit(code)
}

// found is the configuration here; outside of a repository it is the user's own. What a file of the repository names is sent to
// only where the user agreed.
func (o *testOptions) found(ctx context.Context) (root string, cfg *config.Config, err error) {
	repo, err := app.RepoAt(ctx, o.Dir, git.Find)
	if _, none := errors.AsType[*git.NoRepositoryError](err); none {
		cfg, _, err = app.LoadConfig(o.Host, "", "", nil)
		return o.Dir, cfg, err
	}
	if err != nil {
		return "", nil, err
	}
	if cfg, _, err = app.LoadConfig(o.Host, repo.Root(), "", nil); err != nil {
		return "", nil, err
	}
	asking := app.RunFlags{Host: o.Host, Trust: o.trust}
	_, err = asking.AskTrust(ctx, &app.Backends{Host: o.Host, Root: repo.Root(), Cfg: cfg}, repo, nil)
	return repo.Root(), cfg, err
}

// try sends a notice once.
func try(ctx context.Context, w way, n notify.Notice) tried {
	if w.off != "" {
		return tried{w.name, "off", w.off}
	}
	err := w.err
	if err == nil {
		err = notify.Once(ctx, w.Channel, n)
	}
	if err != nil {
		return tried{w.name, "failed", err.Error()}
	}
	return tried{w.name, "sent", ""}
}
