package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	sdk "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"autopilot/autopilot/shell"
	"autopilot/autopilot/words"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions/storage"
	"autopilot/temporal/account"
	"autopilot/temporal/flow"
	"autopilot/temporal/hub"
	"autopilot/temporal/worker"
)

type workerOptions struct {
	*fleet
	repositories, capabilities []string
	dir                        string
	slots                      int
	backend                    worker.Backend
	account                    worker.Account
	drain, save                time.Duration
	deployment, build          string
	fatal                      chan error // why the server lets a poller do nothing any more
}

func newWorker(f *fleet) *cobra.Command {
	o := &workerOptions{fleet: f, fatal: make(chan error, 1)}
	c := &cobra.Command{
		Use: "worker", Short: "Run steps of sessions on this machine",
		Long: `Runs steps of sessions on this machine: agents, checks, commits. It works only for the repositories
that you name with --repository, and runs their commands: name only those that you trust.
Backends, API keys and git's login are this machine's own. Of ~/.config/autopilot/config.yaml, only backends, models, personas, prices
and MCP servers count; the repository's autopilot.yaml overrides it.

Ctrl-C or SIGTERM drains: no new step starts, and running steps have --drain to end. Then their agents are stopped, what they did is
saved, and another worker continues.`,
		Example: "  autopilot-temporal worker --repository git@example.com:acme/shop.git\n  autopilot-temporal worker --repository /srv/git/shop.git --capability gpu --slots 2",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return o.run(c.Context()) },
	}
	c.Flags().StringArrayVar(&o.repositories, "repository", nil, "work for the repository at this `URL`; repeat for more")
	c.Flags().StringArrayVar(&o.capabilities, "capability", nil, "also take the steps of sessions that need `NAME`, such as gpu; repeat for more")
	c.Flags().StringVar(&o.dir, "dir", "", "keep the clones in `DIR`; each worker process needs its own (default: the user's cache)")
	c.Flags().IntVar(&o.slots, "slots", max(1, runtime.NumCPU()/2), "run up to `N` agents or checks at the same time, for each repository and each capability (default: half of the CPUs)")
	c.Flags().Lookup("slots").DefValue = "0" // else the help shows this machine's default, too
	c.Flags().StringVar(&o.backend.Name, "backend", "", "use the backend `NAME` for all agents")
	c.Flags().StringVar(&o.backend.Model, "model", "", "use the model `NAME`")
	c.Flags().StringVar(&o.backend.Replay, "replay", "", "play recorded model answers from `FILE` instead of calling a model")
	c.Flags().StringVar(&o.account.Name, "account", "", "share the account `NAME` of a model provider with all workers that name it")
	c.Flags().IntVar(&o.account.Slots, "account-slots", 1, "with --account: run up to `N` agents at the same time over all these workers")
	c.Flags().DurationVar(&o.drain, "drain", time.Minute, "on SIGTERM, wait up to `TIME` for running steps, then stop their agents")
	c.Flags().DurationVar(&o.save, "save-every", 5*time.Minute, "push the unfinished work of an agent every `TIME`")
	c.Flags().StringVar(&o.deployment, "deployment", "", "take part in Temporal's worker versioning, as the deployment `NAME`")
	c.Flags().StringVar(&o.build, "build", "", "with --deployment: the `ID` of this version, such as a commit")
	return c
}

func (o *workerOptions) run(ctx context.Context) error {
	if len(o.repositories) == 0 {
		return console.UsageError("a worker needs a repository to work for\n  autopilot-temporal worker --repository URL")
	}
	if (o.deployment == "") != (o.build == "") {
		return console.UsageError("--deployment and --build belong together: --deployment autopilot --build 1a2b3c4")
	}
	if o.slots < 1 || o.account.Slots < 1 {
		return console.UsageError("--slots and --account-slots must be at least 1")
	}
	if o.dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return console.UsageError("this machine has no cache folder (%v): name one with --dir", err)
		}
		o.dir = filepath.Join(cache, "autopilot", "fleet")
	}
	o.dir = o.Path(o.dir)
	if o.backend.Replay != "" {
		o.backend.Replay = o.Path(o.backend.Replay) // as seen from here, not from a clone
	}
	if err := os.MkdirAll(o.dir, 0o700); err != nil {
		return err
	}
	lock, err := storage.LockTree(filepath.Join(o.dir, storage.LockName), o.Now)
	if held, is := errors.AsType[*storage.LockedError](err); is {
		return &console.CodedError{Code: 6, Err: fmt.Errorf("another worker uses %s (pid %d on %s)\n  give this one its own folder: autopilot-temporal worker --repository URL --dir OTHER", o.dir, held.PID, held.Host)}
	}
	if err != nil {
		return err
	}
	defer lock.Close()
	use, sent, err := o.observe(ctx)
	if err != nil {
		return err
	}
	c, err := o.connect(ctx, use)
	if err != nil {
		return err
	}
	defer c.Close()
	return errors.Join(o.work(ctx, c), sent(context.WithoutCancel(ctx)))
}

// connect connects to the server, however long that is away: a worker may be started before it.
func (o *workerOptions) connect(ctx context.Context, use func(*client.Options)) (client.Client, error) {
	for told := false; ; told = true {
		c, err := o.dial(ctx, o.Err, use)
		if failed, is := errors.AsType[*connectError](err); !is || !failed.away() || ctx.Err() != nil {
			return c, err
		}
		if !told {
			fmt.Fprintf(o.Err, "%v\nWaiting for it. The worker starts when it answers.\n", err)
		}
		if err := o.Pause(ctx, time.Second); err != nil {
			return nil, err
		}
	}
}

// work takes steps until the context ends, then drains.
func (o *workerOptions) work(ctx context.Context, c client.Client) error {
	host := *o.Host
	host.Environ, host.Terminal, host.OutTerminal = worker.Environ(o.Environ), false, false
	stopping, stop := context.WithCancel(context.Background())
	defer stop()
	w := &worker.Worker{Client: c, Host: &host, Dir: o.dir, Repositories: map[string]string{}, Backend: o.backend, Account: o.account, SaveEvery: o.save, Stopping: stopping}
	var names []string
	for _, address := range o.repositories {
		if !strings.Contains(address, ":") {
			address = o.Path(address)
		}
		if err := hub.Reach(ctx, address, o.Environ); err != nil {
			return console.UsageError("can't read the repository %s: %v\n  check it as this user: git ls-remote %s", hub.WithoutLogin(address), err, shell.Quote(hub.WithoutLogin(address)))
		}
		w.Repositories[hub.RepositoryID(address)] = address
		names = append(names, hub.WithoutLogin(address))
	}
	if _, err := app.Git(ctx, o.dir, o.Environ, "var", "GIT_AUTHOR_IDENT"); err != nil {
		return console.UsageError("git has no author for commits on this machine\n  git config --global user.name NAME && git config --global user.email ADDRESS")
	}
	queues := []sdk.Worker{o.poll(c, flow.SessionQueue, 0, func(w sdk.Worker) {
		w.RegisterWorkflowWithOptions(flow.Session, workflow.RegisterOptions{Name: flow.Name})
		w.RegisterWorkflowWithOptions(account.Account, workflow.RegisterOptions{VersioningBehavior: workflow.VersioningBehaviorAutoUpgrade}) // it may never end
	})}
	for repository := range w.Repositories {
		acts := func(s sdk.Worker) {
			s.RegisterActivityWithOptions(w.Play, activity.RegisterOptions{Name: flow.PlayName})
			s.RegisterActivityWithOptions(w.Keep, activity.RegisterOptions{Name: flow.KeepName})
		}
		queues = append(queues, o.poll(c, flow.GitQueue(repository), 2, acts))
		for _, capability := range append([]string{""}, o.capabilities...) {
			queues = append(queues, o.poll(c, flow.RunQueue(repository, capability), o.slots, acts))
		}
	}
	for _, q := range queues {
		if err := q.Start(); err != nil {
			return err
		}
	}
	fmt.Fprintf(o.Err, "Working for %s in %s: up to %d agents or checks at the same time, for each repository and each capability. Stop with Ctrl-C.\n", strings.Join(names, ", "), o.dir, o.slots)
	select {
	case <-ctx.Done():
	case err := <-o.fatal:
		return fmt.Errorf("the Temporal server refuses this worker: %w", err)
	}
	fmt.Fprintf(o.Err, "Stopping: waiting up to %s for running steps. Ctrl-C again exits now, without saving their work.\n", words.Short(o.drain))
	timer := time.AfterFunc(o.drain, stop)
	defer timer.Stop()
	var acts sync.WaitGroup
	for _, q := range queues[1:] {
		acts.Go(q.Stop)
	}
	acts.Wait()
	queues[0].Stop() // the workflow's own last: those at work still record what they do
	return nil
}

// version is what the server knows the worker's version by. A session's run stays with the version that it began with; its next run
// takes the current one.
func (o *workerOptions) version() sdk.DeploymentOptions {
	if o.deployment == "" {
		return sdk.DeploymentOptions{}
	}
	return sdk.DeploymentOptions{
		UseVersioning: true, DefaultVersioningBehavior: workflow.VersioningBehaviorPinned,
		Version: sdk.WorkerDeploymentVersion{DeploymentName: o.deployment, BuildID: o.build},
	}
}

// poll is a poller of a queue; slots is how many activities run at once, 0 for a queue of workflows.
func (o *workerOptions) poll(c client.Client, queue string, slots int, register func(sdk.Worker)) sdk.Worker {
	w := sdk.New(c, queue, sdk.Options{
		MaxConcurrentActivityExecutionSize: slots, DisableWorkflowWorker: slots > 0,
		DeploymentOptions: o.version(),
		OnFatalError: func(err error) {
			select {
			case o.fatal <- err:
			default: // another one was first
			}
		},
		MaxHeartbeatThrottleInterval: 15 * time.Second,
		WorkerStopTimeout:            o.drain + 30*time.Second, DeadlockDetectionTimeout: 5 * time.Second,
	})
	register(w)
	return w
}
