package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"autopilot/autopilot"
	"autopilot/autopilot/branches"
	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/sessions"
	"autopilot/temporal/flow"
	"autopilot/temporal/hub"
)

type submitOptions struct {
	*fleet
	flags          *app.RunFlags
	fast, thorough bool
	reviewPlans    bool
	yes            bool
	fromSession    bool
	capability     string
}

func newSubmit(f *fleet) *cobra.Command {
	o := &submitOptions{fleet: f, flags: &app.RunFlags{Host: f.Host}}
	c := &cobra.Command{
		Use: "submit SPEC.md", Short: "Run a spec on workers",
		Long: `Starts a session of a spec on the Temporal server. Your commit and the spec must be on the remote origin, since workers clone
from there. Backends and keys are each worker's own. Other settings, such as budgets and validation commands, come from the repository's
autopilot.yaml, and from your configuration and flags.

With --from-session, the session that you began on this machine continues there: its files, its branch and its uncommitted work are
pushed first.`,
		Example: "  autopilot-temporal submit docs/spec.md\n  autopilot-temporal submit docs/spec.md --thorough --parallel 4 --max-cost 20\n  autopilot-temporal submit docs/spec.md --from-session",
		Args:    console.OneSpec,
		RunE:    func(c *cobra.Command, args []string) error { return o.run(c.Context(), args[0]) },
	}
	fl := c.Flags()
	o.flags.Given = fl
	fl.BoolVar(&o.fast, "fast", false, "skip the verifier, and don't ask you to approve plans")
	fl.BoolVar(&o.thorough, "thorough", false, "ask you to approve every plan, also stop for important findings, and check in a fresh worktree too")
	fl.BoolVar(&o.reviewPlans, "review-plans", false, "ask you to approve every plan")
	fl.BoolVar(&o.yes, "yes", false, "continue from phase to phase; every other question still waits for you")
	fl.BoolVar(&o.fromSession, "from-session", false, "continue the session of this clone instead of starting one")
	fl.StringVar(&o.capability, "capability", "", "run agents and checks only on workers with the capability `NAME`")
	fl.BoolVar(&o.flags.Trust, "trust", false, app.TrustFlag)
	app.DeclareLimits(fl, ", in the whole session")
	app.DeclarePhaseLimits(fl, ", in the whole session")
	fl.Int("parallel", 0, "run up to `N` tasks of a phase at the same time (default 1; config key parallel)")
	fl.Int("pause-every", 0, "pause and ask you after every `N` agent runs (default never; config key pause_every)")
	return c
}

func (o *submitOptions) run(ctx context.Context, spec string) error {
	if o.fast && o.thorough {
		return console.UsageError("use either --fast or --thorough, not both")
	}
	if o.fromSession && (o.fast || o.thorough || o.reviewPlans) {
		return console.UsageError("a session keeps its rigor: submit it without --fast, --thorough and --review-plans")
	}
	r, err := o.open(ctx, spec)
	if err != nil {
		return err
	}
	defer r.Close()
	settings, err := o.flags.ConfigFlags()
	if err != nil {
		return err
	}
	cfg, report, err := app.LoadConfig(o.Host, r.place.Repo.Root(), "", settings)
	if err != nil {
		return err
	}
	limits := app.BudgetLimits(cfg.Limits)
	in := flow.Input{Job: flow.Job{Repository: r.repository, Capability: o.capability, Yes: o.yes, Settings: travelling(cfg, report.Values), Limits: &limits}}
	if err := r.free(ctx); err != nil {
		return err
	}
	if err := errors.Join(r.leavesNothing(ctx, o.Environ), r.withoutLFS(ctx, o.Environ)); err != nil {
		return err
	}
	list, err := app.TrustAnywhere(ctx, o.Host, r.place.Repo)
	if err != nil {
		return err
	}
	if in.Job.Agreed, err = o.agree(ctx, r, list); err != nil {
		return err
	}
	if o.fromSession {
		err = o.carry(ctx, r, cfg, &in)
	} else {
		err = o.begin(ctx, r, cfg, &in, list)
	}
	if err != nil {
		return err
	}
	r.giveMemory(ctx, o.fleet)
	if err := r.start(ctx, in); err != nil {
		return err
	}
	return o.Say("Submitted as %s\n  follow it: autopilot-temporal status %s\n  get it here: autopilot-temporal fetch %s", r.id, r.spec, r.spec)
}

// free refuses a session that runs already, before anything is pushed.
func (r *remote) free(ctx context.Context) error {
	found, err := r.DescribeWorkflow(ctx, r.id, "")
	if _, none := errors.AsType[*serviceerror.NotFound](err); none {
		return nil
	}
	if err == nil && found.Status == enums.WORKFLOW_EXECUTION_STATUS_RUNNING {
		return r.running()
	}
	return err
}

func (r *remote) running() error {
	return &console.CodedError{Code: 6, Err: fmt.Errorf("the session of %s is already running (%s)\n  look at it: autopilot-temporal status %s", r.spec, r.id, r.spec)}
}

func (r *remote) start(ctx context.Context, in flow.Input) error {
	in, why := flow.Fit(in, flow.Size)
	if why != "" {
		return console.UsageError("the session can't move to workers: %s\n  continue it here: autopilot %s", why, r.spec)
	}
	options := client.StartWorkflowOptions{
		ID: r.id, TaskQueue: flow.SessionQueue, WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_FAIL, WorkflowExecutionErrorWhenAlreadyStarted: true,
		Memo: map[string]any{specMemo: r.place.Rel},
	}
	if missing, err := missingAttributes(ctx, r.Client, r.namespace); err == nil && len(missing) == 0 { // else lists show less
		in.Job.Attributes, options.TypedSearchAttributes = true, temporal.NewSearchAttributes(flow.SlugAttribute.ValueSet(r.slug))
	}
	_, err := r.ExecuteWorkflow(ctx, options, flow.Name, in)
	if _, is := errors.AsType[*serviceerror.WorkflowExecutionAlreadyStarted](err); is {
		return r.running()
	}
	return err
}

// begin makes a new session, of a commit that the hub has.
func (o *submitOptions) begin(ctx context.Context, r *remote, cfg *config.Config, in *flow.Input, list []app.TrustEntry) error {
	root := r.place.Repo.Root()
	if s, _, err := sessions.Read(r.place.Session, r.place.SessionOptions(ctx)); err == nil && s.CurrentState != machine.Done {
		return console.UsageError("this clone has a session of %s\n  continue it on workers: autopilot-temporal submit %s --from-session\n  continue it here: autopilot %s\n  set it aside: %s", r.spec, r.spec, r.spec, r.aside())
	}
	git := func(args ...string) (string, error) {
		out, err := app.Git(ctx, root, o.Environ, args...)
		return strings.TrimSpace(out), err
	}
	if there, err := git("ls-remote", "origin", hub.RecordsRef(r.place.Slug)); err != nil {
		return fmt.Errorf("looking at the remote origin: %w", err)
	} else if there != "" {
		branch := branches.NewName(r.place.Slug)
		if known, err := hub.Here(ctx, root, r.place.Slug, o.Environ); err == nil {
			s, err := known.State(ctx)
			if err == nil && r.place.NotAnothers(s) != nil {
				return r.place.NotAnothers(s)
			}
			branch = cmp.Or(s.Branch, branch)
		}
		return console.UsageError("the remote already has a session of %[1]s\n  continue it: git fetch origin && git switch %[2]s && autopilot-temporal fetch %[1]s && autopilot-temporal submit %[1]s --from-session\n  delete it: git ls-remote origin '%[3]s*' | cut -f2 | xargs git push origin --delete", r.spec, branch, strings.TrimSuffix(hub.RecordsRef(r.place.Slug), "records"))
	}
	first, remarks, err := autopilot.Begin(ctx, r.place.Repo, autopilot.Order{
		Spec: r.place.Spec, Rigor: app.Rigor(cfg, o.fast, o.thorough), ReviewPlans: o.reviewPlans || cfg.ReviewPlans, Retries: cfg.Retries, SessionID: app.NewID(), AllowDirty: true,
	})
	if err != nil {
		return err
	}
	for _, line := range remarks {
		fmt.Fprintln(o.Err, line)
	}
	personas, err := git("ls-files", "--", ".harness/personas")
	if err != nil {
		return err
	}
	files := append([]string{r.place.Rel, config.ProjectFile}, strings.Fields(personas)...)
	for _, e := range list { // else workers would run what nobody agreed to
		file, _, _ := strings.Cut(e.File, ":")
		files = append(files, file)
	}
	for _, file := range files {
		if status, err := git("status", "--porcelain", "--", file); err != nil || status != "" {
			return errors.Join(err, uncommitted(file))
		}
	}
	position, err := r.place.Repo.Position(ctx)
	if err != nil {
		return err
	}
	if _, err := git("fetch", "--quiet", "--prune", "origin"); err != nil {
		return err
	}
	if has, err := git("for-each-ref", "--contains", position.Head, "refs/remotes/origin/"); err != nil || has == "" {
		return errors.Join(err, console.UsageError("the remote doesn't have your commit %s\n  git push origin %s", position.Head[:12], cmp.Or(position.Branch, "HEAD:refs/heads/NAME")))
	}
	if behind, err := git("rev-list", "--count", position.Head+"..refs/remotes/origin/"+position.Branch); err == nil && behind != "0" {
		return console.UsageError("the remote's branch %s has %s commits that yours doesn't have\n  git pull origin %s", position.Branch, behind, position.Branch)
	}
	if taken := branches.NewName(r.place.Slug); position.Branch != taken {
		if _, err := git("rev-parse", "--quiet", "--verify", "refs/remotes/origin/"+taken); err == nil {
			return console.UsageError("the remote already has a branch %s, of an earlier session\n  keep it under another name, or delete it: git push origin --delete %s", taken, taken)
		}
	}
	first.Initial.StartingCommit, first.Initial.LeftOut = position.Head, nil // what is uncommitted stays here
	in.Job.AgreedAt = position.Head
	in.First, in.Job.From = first.Initial, cmp.Or(position.Branch, "main")
	return nil
}
