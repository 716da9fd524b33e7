package cmd

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/sdk/v1"
	"go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"

	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
	"autopilot/cmd/console"
	"autopilot/cmd/look"
	"autopilot/sessions/view"
	"autopilot/temporal/flow"
	"autopilot/temporal/worker"
)

func newStatus(f *fleet) *cobra.Command {
	o := &console.Output{Host: f.Host}
	return o.WithJSON("the whole state as one JSON object", &cobra.Command{
		Use: "status SPEC.md", Short: "Show where a session is, and what is at work", Example: "  autopilot-temporal status docs/spec.md", Args: console.OneSpec,
		RunE: func(c *cobra.Command, args []string) error { return runStatus(c.Context(), f, o, args[0]) },
	})
}

func runStatus(ctx context.Context, f *fleet, o *console.Output, spec string) error {
	r, err := f.open(ctx, spec)
	if err != nil {
		return err
	}
	defer r.Close()
	s, unknown := r.state(ctx) // without a worker, there is still something to say
	if o.JSON && unknown == nil {
		return o.Encode(s)
	}
	if o.JSON {
		return unknown
	}
	described, err := r.DescribeWorkflow(ctx, r.id, "")
	if err != nil {
		return r.explain(err)
	}
	running := described.Status == enums.WORKFLOW_EXECUTION_STATUS_RUNNING
	if unknown == nil {
		if !running {
			s.Gate = nil // nobody takes an answer
		}
		err = look.Elsewhere(f.Host, view.Of(view.Facts{State: s, Held: running, At: f.Now()}), "autopilot-temporal")
	}
	fmt.Fprintf(f.Out, "\nOn Temporal: %s (%s)\n", r.id, described.Status)
	if !running {
		return cmp.Or(err, r.sayEnd(ctx, f))
	}
	if unknown == nil {
		r.sayDetails(ctx, f)
		if s.Gate != nil && s.Gate.Kind == machine.GatePlanWanted {
			fmt.Fprintf(f.Out, "  before you answer: push the plan to the branch %s\n", console.Clean(s.Branch))
		}
	}
	return cmp.Or(err, r.sayAtWork(ctx, f, described.RawResponse.PendingActivities), unknown)
}

// sayAtWork says of each step that it is at work, or what it waits for. The server knows of a worker for five minutes after it was there.
func (r *remote) sayAtWork(ctx context.Context, f *fleet, steps []*workflow.PendingActivityInfo) (err error) {
	for _, p := range steps {
		workers, failed := f.pollers(ctx, r, p.GetActivityOptions().GetTaskQueue().GetName(), enums.TASK_QUEUE_TYPE_ACTIVITY)
		err = errors.Join(err, failed)
		fmt.Fprintln(f.Out, "  "+console.Clean(atWork(p, r.data, f.Now(), len(workers) == 0 && failed == nil)))
	}
	return err
}

// sayEnd says how a session ended, or why it stopped before its end and how it continues.
func (r *remote) sayEnd(ctx context.Context, f *fleet) error {
	var end flow.Result
	err := r.GetWorkflow(ctx, r.id, "").Get(ctx, &end)
	switch {
	case err != nil:
		fmt.Fprintln(f.Out, "  it failed: "+console.Clean(words.OneLine(said(err))))
	case end.Stopped != "":
		fmt.Fprintln(f.Out, "  stopped before its end: "+console.Clean(end.Stopped))
	default:
		return f.Say("  get it here: autopilot-temporal fetch %s", r.spec)
	}
	return f.Say("  get it here, with its branch checked out: autopilot-temporal fetch %s\n  then continue it, with the same flags: autopilot-temporal submit %s --from-session", r.spec, r.spec)
}

// sayDetails says what the workflow says of itself: that it waits for a limit, or stops.
func (r *remote) sayDetails(ctx context.Context, f *fleet) {
	var m sdk.WorkflowMetadata
	value, err := r.QueryWorkflow(ctx, r.id, "", "__temporal_workflow_metadata") // the SDK answers it, and exports no name for it
	if err == nil && value.Get(&m) == nil && m.CurrentDetails != "" {
		fmt.Fprintln(f.Out, "  "+console.Clean(words.OneLine(m.CurrentDetails)))
	}
}

// atWork is a line about a step that is at work, or waits: maybe for a worker that is not there.
func atWork(p *workflow.PendingActivityInfo, data converter.DataConverter, now time.Time, nobody bool) string {
	var b worker.Beat
	if p.HeartbeatDetails != nil {
		_ = data.FromPayloads(p.HeartbeatDetails, &b)
	}
	failed := ""
	if p.LastFailure != nil {
		failed = fmt.Sprintf("; attempt %d failed: %s", p.Attempt-1, words.OneLine(said(failures(data).FailureToError(p.LastFailure))))
	}
	if p.State == enums.PENDING_ACTIVITY_STATE_SCHEDULED {
		since, queue := p.ScheduledTime.AsTime(), p.GetActivityOptions().GetTaskQueue().GetName()
		switch {
		case nobody:
			return fmt.Sprintf("no worker for %s since %s", queue, since.Local().Format("2006-01-02 15:04")) + failed
		case failed != "":
			return strings.TrimPrefix(failed, "; ") + "; retrying"
		}
		return "waits for a worker for " + queue
	}
	line := fmt.Sprintf("at work for %s on %s", words.Elapsed(now.Sub(p.LastStartedTime.AsTime())), p.LastWorkerIdentity)
	if b.Line != "" {
		line += ": " + b.Line
	}
	if b.Usage != (machine.Usage{}) {
		line += " (" + journal.UsageWords(b.Usage) + ")"
	}
	return line + failed
}

// said is what an error of an activity says itself, without what Temporal puts around it.
func said(err error) string {
	if app, is := errors.AsType[*temporal.ApplicationError](err); is {
		return app.Message()
	}
	return err.Error()
}

func newList(f *fleet) *cobra.Command {
	o := &console.Output{Host: f.Host}
	return o.WithJSON("the sessions as one JSON array", &cobra.Command{
		Use: "list", Short: "List the sessions on the Temporal server", Example: "  autopilot-temporal list", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runList(c.Context(), f, o) },
	})
}

// listed is a session in a list.
type listed struct {
	ID      string    `json:"id"`
	Status  string    `json:"status"`
	Started time.Time `json:"started"`
	State   string    `json:"state,omitempty"`
	Gate    string    `json:"gate,omitempty"` // the kind of the open question
}

func runList(ctx context.Context, f *fleet, o *console.Output) error {
	c, err := f.dial(ctx, f.Err)
	if err != nil {
		return err
	}
	defer c.Close()
	all := []listed{}
	for page := []byte(nil); ; {
		found, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{Query: fmt.Sprintf("WorkflowType = %q", flow.Name), NextPageToken: page})
		if err != nil {
			return err
		}
		for _, e := range found.Executions {
			if e.Status != enums.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW {
				all = append(all, listed{e.Execution.WorkflowId, e.Status.String(), e.StartTime.AsTime(), indexed(e, flow.StateAttribute), indexed(e, flow.GateAttribute)})
			}
		}
		if page = found.NextPageToken; len(page) == 0 {
			break
		}
	}
	if o.JSON {
		return json.NewEncoder(f.Out).Encode(all)
	}
	if len(all) == 0 {
		return f.Say("No sessions on this server. Start one: autopilot-temporal submit docs/spec.md")
	}
	unseen := false // a session runs, and its state isn't known here
	for _, l := range all {
		unseen = unseen || l.State == "" && l.Status == enums.WORKFLOW_EXECUTION_STATUS_RUNNING.String()
		line := fmt.Sprintf("%-10s %-14s %s", l.Status, l.State, l.ID)
		if l.Gate != "" {
			line += "  waits for you: " + l.Gate
		}
		fmt.Fprintln(f.Out, console.Clean(line))
	}
	if missing, err := missingAttributes(ctx, c, f.namespace); unseen && err == nil && len(missing) > 0 {
		return f.Say("To see the state and the question of sessions that start from now on: autopilot-temporal doctor --setup")
	}
	return nil
}

// indexed is the value of a search attribute; "" is none.
func indexed(e *workflow.WorkflowExecutionInfo, key temporal.SearchAttributeKeyKeyword) (value string) {
	if field := e.GetSearchAttributes().GetIndexedFields()[key.GetName()]; field != nil {
		_ = converter.GetDefaultDataConverter().FromPayload(field, &value)
	}
	return value
}
