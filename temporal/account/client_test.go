package account

import (
	"context"
	"errors"
	"testing"
	"time"

	"go.temporal.io/sdk/client"
)

// server has one account, whose workflow the first update starts.
type server struct {
	client.Client
	started client.StartWorkflowOptions
	updated client.UpdateWithStartWorkflowOptions
	book    *Book
}

func (s *server) NewWithStartWorkflowOperation(options client.StartWorkflowOptions, _ any, args ...any) client.WithStartWorkflowOperation {
	s.started = options
	if s.book == nil {
		b := args[0].(Book)
		s.book = &b
	}
	return nil
}

func (s *server) UpdateWithStartWorkflow(_ context.Context, options client.UpdateWithStartWorkflowOptions) (client.WorkflowUpdateHandle, error) {
	s.updated = options
	now := time.Unix(1_000_000, 0)
	switch arg := options.UpdateOptions.Args[0].(type) {
	case Request:
		return handle{answer: s.book.Take(now, arg)}, nil
	case Release:
		s.book.Give(now, arg.ID)
		return handle{}, nil
	}
	return nil, errors.New("another argument")
}

// handle is an update that has its answer.
type handle struct {
	client.WorkflowUpdateHandle
	answer Answer
}

func (h handle) Get(_ context.Context, result any) error {
	if a, is := result.(*Answer); is {
		*a = h.answer
	}
	return nil
}

func TestAClientStartsTheAccountAndAsks(t *testing.T) {
	s := &server{}
	c := Client{Temporal: s, Queue: "fleet"}
	a, err := c.Take(t.Context(), "work", Request{"s1", "d1", 2})
	if err != nil || !a.Granted {
		t.Errorf("%+v, %v", a, err)
	}
	if s.started.ID != "account/work" || s.started.TaskQueue != "fleet" || s.updated.UpdateOptions.UpdateName != TakeUpdate {
		t.Errorf("%+v, %+v", s.started, s.updated)
	}
	if !has(s.book.Held, "d1") {
		t.Errorf("with a lease the account is %+v", s.book)
	}
	if err := c.Give(t.Context(), "work", Release{ID: "d1"}); err != nil || len(s.book.Held) > 0 {
		t.Errorf("%+v, %v", s.book, err)
	}
}
