package account

import (
	"context"
	"errors"
	"slices"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"google.golang.org/grpc/codes"
)

// Client reaches the accounts of a fleet. It starts the workflow of an account that is not running.
type Client struct {
	Temporal client.Client
	Queue    string // the task queue of workers that run the workflow Account
}

// Take asks for a lease, or renews one.
func (c Client) Take(ctx context.Context, account string, r Request) (a Answer, err error) {
	err = c.update(ctx, account, TakeUpdate, r, &a)
	return a, err
}

// Give ends a lease, or a place in the queue.
func (c Client) Give(ctx context.Context, account string, r Release) error {
	return c.update(ctx, account, GiveUpdate, r, nil)
}

func (c Client) update(ctx context.Context, account, name string, arg, result any) error {
	handle, err := c.Temporal.UpdateWithStartWorkflow(ctx, client.UpdateWithStartWorkflowOptions{
		StartWorkflowOperation: c.Temporal.NewWithStartWorkflowOperation(client.StartWorkflowOptions{
			ID: WorkflowID(account), TaskQueue: c.Queue, WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
		}, Account, Book{}),
		UpdateOptions: client.UpdateWorkflowOptions{UpdateName: name, Args: []any{arg}, WaitForStage: client.WorkflowUpdateStageCompleted},
	})
	if err != nil {
		return err
	}
	return handle.Get(ctx, result)
}

// Away says whether an error means that the server could not be reached, has too much to do, or that no worker answered in time.
func Away(err error) bool {
	_, lost := errors.AsType[*client.WorkflowUpdateServiceTimeoutOrCanceledError](err)
	_, failing := errors.AsType[*serviceerror.WorkflowNotReady](err)
	return lost || failing || slices.Contains([]codes.Code{codes.Unavailable, codes.DeadlineExceeded, codes.ResourceExhausted}, serviceerror.ToStatus(err).Code())
}
