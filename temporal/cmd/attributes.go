package cmd

import (
	"context"
	"fmt"
	"slices"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"autopilot/temporal/flow"
)

// attributes are the search attributes of sessions.
func attributes() []string {
	var names []string
	for _, key := range []temporal.SearchAttributeKey{flow.SlugAttribute, flow.StateAttribute, flow.GateAttribute} {
		names = append(names, key.GetName())
	}
	return names
}

// missingAttributes are those that a namespace does not have.
func missingAttributes(ctx context.Context, c client.Client, namespace string) ([]string, error) {
	has, err := c.OperatorService().ListSearchAttributes(ctx, &operatorservice.ListSearchAttributesRequest{Namespace: namespace})
	return slices.DeleteFunc(attributes(), func(name string) bool {
		_, there := has.GetCustomAttributes()[name]
		return there
	}), err
}

// addAttributes registers search attributes in a namespace.
func addAttributes(ctx context.Context, c client.Client, namespace string, names []string) error {
	add := &operatorservice.AddSearchAttributesRequest{Namespace: namespace, SearchAttributes: map[string]enums.IndexedValueType{}}
	for _, name := range names {
		add.SearchAttributes[name] = enums.INDEXED_VALUE_TYPE_KEYWORD
	}
	if _, err := c.OperatorService().AddSearchAttributes(ctx, add); err != nil {
		return fmt.Errorf("registering the search attributes: %w", err)
	}
	return nil
}
