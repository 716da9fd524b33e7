package cmd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"autopilot/temporal/flow"
)

// missingAttributes are the search attributes of sessions that a namespace does not have.
func missingAttributes(ctx context.Context, c client.Client, namespace string) (missing []string, err error) {
	has, err := c.OperatorService().ListSearchAttributes(ctx, &operatorservice.ListSearchAttributesRequest{Namespace: namespace})
	for _, key := range []temporal.SearchAttributeKey{flow.SlugAttribute, flow.StateAttribute, flow.GateAttribute} {
		if _, there := has.GetCustomAttributes()[key.GetName()]; !there {
			missing = append(missing, key.GetName())
		}
	}
	return missing, err
}

// addAttributes registers search attributes in the namespace, and waits until the server takes them: it looks for new ones once a minute.
func (f *fleet) addAttributes(ctx context.Context, c client.Client, names []string) error {
	add := &operatorservice.AddSearchAttributesRequest{Namespace: f.namespace, SearchAttributes: map[string]enums.IndexedValueType{}}
	for _, name := range names {
		add.SearchAttributes[name] = enums.INDEXED_VALUE_TYPE_KEYWORD
	}
	if _, err := c.OperatorService().AddSearchAttributes(ctx, add); err != nil {
		return fmt.Errorf("registering the search attributes: %w", err)
	}
	for tries := 0; ; tries++ {
		_, err := c.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{Namespace: f.namespace, Query: names[0] + " = 'none'"})
		if _, unknown := errors.AsType[*serviceerror.InvalidArgument](err); !unknown || tries == 300 {
			return err
		}
		if tries == 0 {
			fmt.Fprintln(f.Err, "Waiting for the server to load the search attributes (about a minute).")
		}
		if err := f.Pause(ctx, time.Second); err != nil {
			return err
		}
	}
}
