// Package trust is the command trust: it shows what a repository's own files run and reach, takes the user's yes to it, and
// takes that back.
//
// The list and the file of answers are those of cmd/app, which every command that runs something asks by.
//
//	root.AddCommand(trust.New(host))
package trust

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
)

type options struct {
	console.Output
	yes bool
}

// yesFlag is the flag of trust that agrees.
const yesFlag = "yes"

// New is the command trust.
func New(h *console.Host) *cobra.Command {
	o := &options{Output: console.Output{Host: h}}
	c := &cobra.Command{
		Use: "trust", Short: "Trust what this repository's own files run and connect to",
		Long: "Lists the programs and addresses in this repository's own files that you don't trust yet, and asks. Commands that would use\n" +
			"them ask the same question once. What your own configuration names, and what autopilot init wrote, is trusted already.",
		Example: "  autopilot trust\n  autopilot trust --yes\n  autopilot trust list\n  autopilot trust revoke", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return o.agree(c.Context()) },
	}
	c.Flags().BoolVar(&o.yes, yesFlag, false, "trust without asking")
	c.Flags().BoolVar(&o.yes, "trust", false, "the same")
	_ = c.Flags().MarkHidden("trust") // other commands agree by it
	c.AddCommand(newList(h), newRevoke(h))
	return c
}

func newList(h *console.Host) *cobra.Command {
	o := &options{Output: console.Output{Host: h}}
	return o.WithJSON("one JSON array", &cobra.Command{
		Use: "list", Short: "List what this repository's own files run and connect to, and what you trust",
		Example: "  autopilot trust list\n  autopilot trust list --json", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return o.list(c.Context()) },
	})
}

func newRevoke(h *console.Host) *cobra.Command {
	o := &options{Output: console.Output{Host: h}}
	return o.WithJSON("one JSON object", &cobra.Command{
		Use: "revoke", Short: "Stop trusting this repository's own files; the next run asks again",
		Example: "  autopilot trust revoke\n  autopilot trust revoke --json", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return o.revoke(c.Context()) },
	})
}

// found is what there is in the repository that the program stands in.
func (o *options) found(ctx context.Context) (*git.Repo, *app.Backends, error) {
	repo, err := app.RepoAt(ctx, o.Dir, git.Find)
	if err != nil {
		return nil, nil, err
	}
	cfg, _, err := app.LoadConfig(o.Host, repo.Root(), "", nil)
	return repo, &app.Backends{Host: o.Host, Root: repo.Root(), Cfg: cfg}, err
}

// agree asks about what is new.
func (o *options) agree(ctx context.Context) error {
	repo, b, err := o.found(ctx)
	if err != nil {
		return err
	}
	o.Trusts = false // of AUTOPILOT_TRUST, which is for one run
	asking := app.RunFlags{Host: o.Host, Trust: o.yes, TrustBy: "--" + yesFlag}
	remarks, err := asking.AskTrust(ctx, b, repo, nil)
	for _, line := range remarks {
		fmt.Fprintln(o.Err, console.Told(line, o.Columns()))
	}
	if err != nil {
		return err
	}
	return o.Say("You trust what this repository's own files run and reach. See: autopilot trust list")
}

// listed is an entry, for programs.
type listed struct {
	app.TrustEntry
	Trusted bool `json:"trusted"`
}

func (o *options) list(ctx context.Context) error {
	repo, b, err := o.found(ctx)
	if err != nil {
		return err
	}
	all, err := b.TrustList(ctx, repo)
	if err != nil {
		return err
	}
	f, err := app.OpenTrust(o.Host, repo)
	if err != nil {
		return err
	}
	waiting, trusted := f.Unanswered(all), f.Answered(all)
	if o.JSON {
		entries := []listed{}
		for _, e := range trusted {
			entries = append(entries, listed{e, true})
		}
		for _, e := range waiting {
			entries = append(entries, listed{e, false})
		}
		return o.Encode(entries)
	}
	if len(all) == 0 {
		return o.Say("This repository's own files run and reach nothing by themselves.")
	}
	for _, part := range []struct {
		heading string
		entries []app.TrustEntry
	}{{"Trusted", trusted}, {"Asked about by the next command that acts, or now by autopilot trust", waiting}} {
		if len(part.entries) > 0 {
			fmt.Fprintf(o.Out, "%s:\n%s", part.heading, app.TrustLines(part.entries))
		}
	}
	return nil
}

func (o *options) revoke(ctx context.Context) error {
	repo, err := app.RepoAt(ctx, o.Dir, git.Find)
	if err != nil {
		return err
	}
	f, err := app.OpenTrust(o.Host, repo)
	if err != nil {
		return err
	}
	n, err := f.Revoke()
	switch {
	case err != nil:
		return err
	case o.JSON:
		return o.Encode(map[string]int{"revoked": n})
	case n == 0:
		return o.Say("You had agreed to nothing here.")
	}
	return o.Say("Forgot %s. The next command that acts asks again.", machine.Plural(n, "answer", "answers"))
}
