package cmd

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"autopilot/autopilot/words"
	"autopilot/temporal/flow"
	"autopilot/temporal/hub"
)

func newDoctor(f *fleet) *cobra.Command {
	setup := false
	c := &cobra.Command{
		Use: "doctor", Short: "Check the connection to Temporal, and show workers, versions and retention", Example: "  autopilot-temporal doctor\n  autopilot-temporal doctor --setup", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runDoctor(c.Context(), f, setup) },
	}
	c.Flags().BoolVar(&setup, "setup", false, "register the search attributes by which list shows state and question of each session")
	return c
}

func runDoctor(ctx context.Context, f *fleet, setup bool) error {
	c, err := f.dial(ctx, f.Err)
	if err != nil {
		return err
	}
	defer c.Close()
	info, err := c.WorkflowService().GetSystemInfo(ctx, &workflowservice.GetSystemInfoRequest{})
	if err != nil {
		return err
	}
	fmt.Fprintf(f.Out, "Server:         %s\n", info.ServerVersion)
	workers, err := f.pollers(ctx, c, flow.SessionQueue, enums.TASK_QUEUE_TYPE_WORKFLOW)
	if err != nil {
		return err
	}
	fmt.Fprintf(f.Out, "Workers:        %d\n", len(workers))
	if len(workers) == 0 {
		fmt.Fprintln(f.Out, "  start one: autopilot-temporal worker --repository URL")
	}
	for _, p := range workers {
		fmt.Fprintf(f.Out, "  %s, seen %s ago\n", p.Identity, words.Elapsed(f.Now().Sub(p.LastAccessTime.AsTime())))
	}
	if err := f.sayRepository(ctx, c); err != nil {
		return err
	}
	space, err := c.WorkflowService().DescribeNamespace(ctx, &workflowservice.DescribeNamespaceRequest{Namespace: f.namespace})
	if err != nil {
		return err
	}
	fmt.Fprintf(f.Out, "Namespace:      %s, keeps ended sessions for %g days\n", f.namespace, space.Config.WorkflowExecutionRetentionTtl.AsDuration().Hours()/24)
	if err := f.sayVersions(ctx, c); err != nil {
		return err
	}
	fmt.Fprintln(f.Out, "Fairness:       unknown (servers don't report it); sessions take turns if it has matching.enableFairness")
	missing, err := missingAttributes(ctx, c, f.namespace)
	if err == nil && setup && len(missing) > 0 {
		if err = f.addAttributes(ctx, c, missing); err == nil {
			missing = nil
		}
	}
	_, denied := errors.AsType[*serviceerror.PermissionDenied](err)
	_, unknown := errors.AsType[*serviceerror.Unimplemented](err)
	switch {
	case denied || unknown:
		return f.Say("Attributes:     the server refuses: %v\n  register them in another way, as keywords: %s", err, strings.Join(missing, ", "))
	case err != nil:
		return err
	case len(missing) > 0:
		return f.Say("Attributes:     %s are missing, so list shows less\n  register them: autopilot-temporal doctor --setup", strings.Join(missing, ", "))
	}
	return f.Say("Attributes:     registered")
}

// pollers are the workers that take from a queue.
func (f *fleet) pollers(ctx context.Context, c client.Client, queue string, kind enums.TaskQueueType) ([]*taskqueue.PollerInfo, error) {
	found, err := c.WorkflowService().DescribeTaskQueue(ctx, &workflowservice.DescribeTaskQueueRequest{
		Namespace: f.namespace, TaskQueue: &taskqueue.TaskQueue{Name: queue}, TaskQueueType: kind,
	})
	return found.GetPollers(), err
}

// sayRepository says how many workers there are for the repository around the folder, if it is in one that has a hub.
func (f *fleet) sayRepository(ctx context.Context, c client.Client) error {
	url, err := originOf(ctx, f, f.Dir)
	if err != nil {
		return nil //nolint:nilerr // doctor is for any folder
	}
	id := hub.RepositoryID(url)
	workers, err := f.pollers(ctx, c, flow.GitQueue(id), enums.TASK_QUEUE_TYPE_ACTIVITY)
	switch {
	case err != nil:
		return err
	case len(workers) == 0:
		return f.Say("Repository:     %s, workers for it: 0\n  start one: autopilot-temporal worker --repository %s", id, hub.WithoutLogin(url))
	}
	return f.Say("Repository:     %s, workers for it: %d", id, len(workers))
}

// sayVersions says which version new sessions use, where workers have versions.
func (f *fleet) sayVersions(ctx context.Context, c client.Client) error {
	found, err := c.WorkflowService().ListWorkerDeployments(ctx, &workflowservice.ListWorkerDeploymentsRequest{Namespace: f.namespace})
	if err != nil {
		return err
	}
	for _, d := range found.WorkerDeployments {
		if build := d.GetRoutingConfig().GetCurrentDeploymentVersion().GetBuildId(); build != "" {
			fmt.Fprintf(f.Out, "Version:        new sessions use build %s of deployment %s\n", build, d.Name)
		} else {
			fmt.Fprintf(f.Out, "Version:        deployment %s has no current version\n  set it: temporal worker deployment set-current-version --deployment-name %s --build-id ID\n", d.Name, d.Name)
		}
	}
	return nil
}
