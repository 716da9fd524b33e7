package cmd

import (
	"context"
	"fmt"
	"maps"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/deployment/v1"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/namespace/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/taskqueue/v1"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"autopilot/autopilot/machine"
	"autopilot/temporal/flow"
	"autopilot/temporal/payload"
)

// frontend is a Temporal server as far as the commands of a person ask it something.
type frontend struct {
	workflowservice.UnimplementedWorkflowServiceServer
	operatorservice.UnimplementedOperatorServiceServer
	address   string
	workflows map[string]enums.WorkflowExecutionStatus // that it knows, by id
	events    []machine.Event                          // of a session's tail; nil: no worker answers
	state     machine.State                            // that a worker tells
	meanwhile func()                                   // happens before the next query is answered; may be nil

	mu      sync.Mutex
	headers metadata.MD // of the last call
	space   string      // the namespace of the last call that names one
	signal  string      // the id of the workflow that got the last signal
	after   int64       // the revision after which a client wanted the events
	started []*workflowservice.StartWorkflowExecutionRequest
	faster  bool // somebody else starts each workflow right before

	pollers    map[string]int                    // by queue, what is at work there
	builds     map[string]string                 // by deployment, the current version; "": none
	attributes map[string]enums.IndexedValueType // that are registered; nil: the server does not tell
	unknown    int                               // how often it does not know a new one
	denied     bool                              // nobody may register one
}

// registered are all search attributes.
func registered() map[string]enums.IndexedValueType {
	return map[string]enums.IndexedValueType{"AutopilotSession": 2, "AutopilotState": 2, "AutopilotGate": 2}
}

// serve starts a frontend on loopback.
func serve(t *testing.T, o ...grpc.ServerOption) *frontend {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := &frontend{address: l.Addr().String(), workflows: map[string]enums.WorkflowExecutionStatus{}}
	s := grpc.NewServer(append(o, grpc.UnaryInterceptor(f.see))...)
	workflowservice.RegisterWorkflowServiceServer(s, f)
	operatorservice.RegisterOperatorServiceServer(s, f)
	go func() { _ = s.Serve(l) }()
	t.Cleanup(s.Stop)
	return f
}

// see keeps what the tests ask about each call, and returns errors as a server does.
func (f *frontend) see(ctx context.Context, req any, _ *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.headers, _ = metadata.FromIncomingContext(ctx)
	if named, is := req.(interface{ GetNamespace() string }); is {
		f.space = named.GetNamespace()
	}
	answer, err := handle(ctx, req)
	return answer, serviceerror.ToStatus(err).Err()
}

func (f *frontend) GetSystemInfo(context.Context, *workflowservice.GetSystemInfoRequest) (*workflowservice.GetSystemInfoResponse, error) {
	return &workflowservice.GetSystemInfoResponse{ServerVersion: "1.0.0", Capabilities: &workflowservice.GetSystemInfoResponse_Capabilities{}}, nil
}

func (f *frontend) ListWorkflowExecutions(context.Context, *workflowservice.ListWorkflowExecutionsRequest) (*workflowservice.ListWorkflowExecutionsResponse, error) {
	answer := &workflowservice.ListWorkflowExecutionsResponse{}
	for id, status := range f.workflows {
		answer.Executions = append(answer.Executions, &workflowpb.WorkflowExecutionInfo{Execution: &commonpb.WorkflowExecution{WorkflowId: id}, Status: status})
	}
	return answer, nil
}

func (f *frontend) DescribeWorkflowExecution(_ context.Context, r *workflowservice.DescribeWorkflowExecutionRequest) (*workflowservice.DescribeWorkflowExecutionResponse, error) {
	status, known := f.workflows[r.Execution.WorkflowId]
	if !known {
		return nil, serviceerror.NewNotFound("no such workflow")
	}
	info := &workflowpb.WorkflowExecutionInfo{Execution: r.Execution, Status: status, SearchAttributes: &commonpb.SearchAttributes{}}
	return &workflowservice.DescribeWorkflowExecutionResponse{WorkflowExecutionInfo: info}, nil
}

func (f *frontend) SignalWorkflowExecution(_ context.Context, r *workflowservice.SignalWorkflowExecutionRequest) (*workflowservice.SignalWorkflowExecutionResponse, error) {
	f.signal = r.WorkflowExecution.WorkflowId
	return &workflowservice.SignalWorkflowExecutionResponse{}, nil
}

func (f *frontend) StartWorkflowExecution(_ context.Context, r *workflowservice.StartWorkflowExecutionRequest) (*workflowservice.StartWorkflowExecutionResponse, error) {
	if f.faster && r.WorkflowIdConflictPolicy != enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING {
		return nil, serviceerror.NewWorkflowExecutionAlreadyStarted("it runs", "", "run")
	}
	f.started = append(f.started, r)
	return &workflowservice.StartWorkflowExecutionResponse{RunId: "run", Started: true}, nil
}

// QueryWorkflow answers for a worker with the events that it has, whatever was asked.
func (f *frontend) QueryWorkflow(_ context.Context, r *workflowservice.QueryWorkflowRequest) (*workflowservice.QueryWorkflowResponse, error) {
	if do := f.meanwhile; do != nil {
		f.meanwhile = nil
		do()
	}
	if f.events == nil {
		return nil, serviceerror.NewFailedPrecondition("no poller seen for task queue recently")
	}
	data := payload.Converter(payload.Keys{})
	if r.Query.QueryType == flow.StateQuery {
		answer, err := data.ToPayloads(f.state)
		return &workflowservice.QueryWorkflowResponse{QueryResult: answer}, err
	}
	if err := data.FromPayloads(r.Query.QueryArgs, &f.after); err != nil {
		return nil, err
	}
	answer, err := data.ToPayloads(f.events)
	return &workflowservice.QueryWorkflowResponse{QueryResult: answer}, err
}

func (f *frontend) DescribeNamespace(context.Context, *workflowservice.DescribeNamespaceRequest) (*workflowservice.DescribeNamespaceResponse, error) {
	return &workflowservice.DescribeNamespaceResponse{Config: &namespace.NamespaceConfig{WorkflowExecutionRetentionTtl: durationpb.New(72 * time.Hour)}}, nil
}

func (f *frontend) DescribeTaskQueue(_ context.Context, r *workflowservice.DescribeTaskQueueRequest) (*workflowservice.DescribeTaskQueueResponse, error) {
	answer := &workflowservice.DescribeTaskQueueResponse{}
	for i := range f.pollers[r.TaskQueue.Name] {
		answer.Pollers = append(answer.Pollers, &taskqueue.PollerInfo{Identity: fmt.Sprintf("%d@host", i+1), LastAccessTime: timestamppb.Now()})
	}
	return answer, nil
}

func (f *frontend) ListWorkerDeployments(context.Context, *workflowservice.ListWorkerDeploymentsRequest) (*workflowservice.ListWorkerDeploymentsResponse, error) {
	answer := &workflowservice.ListWorkerDeploymentsResponse{}
	for name, build := range f.builds {
		d := &workflowservice.ListWorkerDeploymentsResponse_WorkerDeploymentSummary{Name: name, RoutingConfig: &deployment.RoutingConfig{}}
		if build != "" {
			d.RoutingConfig.CurrentDeploymentVersion = &deployment.WorkerDeploymentVersion{DeploymentName: name, BuildId: build}
		}
		answer.WorkerDeployments = append(answer.WorkerDeployments, d)
	}
	return answer, nil
}

func (f *frontend) ListSearchAttributes(context.Context, *operatorservice.ListSearchAttributesRequest) (*operatorservice.ListSearchAttributesResponse, error) {
	if f.attributes == nil {
		return nil, serviceerror.NewUnimplemented("no such method")
	}
	return &operatorservice.ListSearchAttributesResponse{CustomAttributes: f.attributes}, nil
}

// CountWorkflowExecutions knows new search attributes only some time later.
func (f *frontend) CountWorkflowExecutions(_ context.Context, r *workflowservice.CountWorkflowExecutionsRequest) (*workflowservice.CountWorkflowExecutionsResponse, error) {
	if name, _, _ := strings.Cut(r.Query, " "); f.unknown > 0 || f.attributes[name] == 0 {
		f.unknown--
		return nil, serviceerror.NewInvalidArgument("unknown: " + name)
	}
	return &workflowservice.CountWorkflowExecutionsResponse{}, nil
}

func (f *frontend) AddSearchAttributes(_ context.Context, r *operatorservice.AddSearchAttributesRequest) (*operatorservice.AddSearchAttributesResponse, error) {
	if f.denied {
		return nil, serviceerror.NewPermissionDenied("use tcld", "")
	}
	maps.Copy(f.attributes, r.SearchAttributes)
	return &operatorservice.AddSearchAttributesResponse{}, nil
}
