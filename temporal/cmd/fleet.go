package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/envconfig"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"google.golang.org/grpc/codes"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/temporal/flow"
	"autopilot/temporal/hub"
	"autopilot/temporal/payload"
)

// fleet is what all commands have: the machine, and how the Temporal server is reached.
type fleet struct {
	*console.Host
	profile, keyFile string
	namespace        string // once connected
}

// keys are those of --keys, or none.
func (f *fleet) keys() (payload.Keys, error) {
	file := cmp.Or(f.keyFile, f.Getenv("TEMPORAL_AUTOPILOT_KEYS"))
	if file == "" {
		return payload.Keys{}, nil
	}
	keys, err := payload.ReadKeys(f.Path(file))
	if err != nil {
		return keys, console.UsageError("%v", err)
	}
	return keys, nil
}

// dial connects to the server. What the client has to say goes to w.
func (f *fleet) dial(ctx context.Context, w io.Writer, change ...func(*client.Options)) (client.Client, error) {
	o, err := envconfig.LoadClientOptions(envconfig.LoadClientOptionsRequest{ConfigFileProfile: f.profile})
	if err != nil {
		return nil, console.UsageError("can't read Temporal's configuration: %v", err)
	}
	keys, err := f.keys()
	if err != nil {
		return nil, err
	}
	o.DataConverter = payload.Converter(keys)
	o.FailureConverter = failures(o.DataConverter)
	o.Logger = log.NewStructuredLogger(slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelWarn})))
	for _, do := range change {
		do(&o)
	}
	host, _ := os.Hostname()
	o.Identity = fmt.Sprintf("%d@%s", os.Getpid(), host)
	f.namespace = cmp.Or(o.Namespace, client.DefaultNamespace)
	c, err := client.DialContext(ctx, o)
	if err != nil {
		return nil, &console.CodedError{Code: 4, Err: &connectError{cmp.Or(o.HostPort, client.DefaultHostPort), err}}
	}
	return c, nil
}

// connectError says that the server at an address can't be reached.
type connectError struct {
	address string
	err     error
}

func (e *connectError) Error() string {
	if !e.away() {
		return "the Temporal server at " + e.address + " refuses the connection: " + lastWords(e.err) +
			"\n  check the API key or the certificate, or choose a profile: autopilot-temporal doctor --profile NAME"
	}
	return "can't reach the Temporal server at " + e.address + ": " + lastWords(e.err) +
		"\n  set its address: export TEMPORAL_ADDRESS=HOST:7233\n  or start one here: temporal server start-dev --db-filename temporal.db"
}

// away says whether nobody answers; else the server refuses.
func (e *connectError) away() bool {
	code := serviceerror.ToStatus(e.err).Code()
	return code == codes.Unavailable || code == codes.DeadlineExceeded
}

// failures converts errors: what they say may quote a repository.
func failures(data converter.DataConverter) converter.FailureConverter {
	return temporal.NewDefaultFailureConverter(temporal.DefaultFailureConverterOptions{DataConverter: data, EncodeCommonAttributes: true})
}

// lastWords is the end of an error of a connection, which begins with its layers.
func lastWords(err error) string {
	layers := strings.Split(err.Error(), "desc = ")
	return layers[len(layers)-1]
}

// remote is a session as a person names it: by the spec in their clone.
type remote struct {
	client.Client
	place      *app.Workspace
	spec       string // as a shell takes it
	repository string // as flow.Job.Repository
	url        string // of the hub
	namespace  string
	slug       string // as Temporal shows it
	id         string // of the workflow
	data       converter.DataConverter
}

// open finds the session that a spec names, and connects to the server.
func (f *fleet) open(ctx context.Context, spec string) (*remote, error) {
	r, err := f.find(ctx, spec)
	if err != nil {
		return nil, err
	}
	return r, r.connect(ctx, f)
}

// find finds the session that a spec names.
func (f *fleet) find(ctx context.Context, spec string) (*remote, error) {
	place, err := app.FindWorkspace(ctx, f.Host, spec, git.Find)
	if err != nil {
		return nil, err
	}
	url, err := originOf(ctx, f, place.Repo.Root())
	if err != nil {
		return nil, console.UsageError("this repository has no remote called origin, and the workers need one\n  git remote add origin URL")
	}
	r := &remote{place: place, spec: shell.QuotePath(place.Rel), url: url}
	r.repository = hub.RepositoryID(r.url)
	keys, err := f.keys()
	if err != nil {
		return nil, err
	}
	r.slug, r.data = payload.HashSlug(keys, place.Slug), payload.Converter(keys)
	r.id = r.workflow(r.slug)
	return r, nil
}

// originOf is the address of the hub of the repository around a folder. One that is a path is absolute, as workers have it.
func originOf(ctx context.Context, f *fleet, dir string) (string, error) {
	url, err := app.Git(ctx, dir, f.Environ, "remote", "get-url", "origin")
	if url = strings.TrimSpace(url); err != nil || strings.Contains(url, ":") || filepath.IsAbs(url) {
		return url, err
	}
	root, err := app.Git(ctx, dir, f.Environ, "rev-parse", "--show-toplevel")
	return filepath.Join(strings.TrimSpace(root), url), err
}

// connect connects to the server, and looks which of its workflows is the session's.
func (r *remote) connect(ctx context.Context, f *fleet) (err error) {
	if r.Client, err = f.dial(ctx, io.Discard); err != nil {
		return err
	}
	r.namespace = f.namespace
	if older := r.workflow(r.place.Slug); older != r.id && !r.has(ctx, r.id) && r.has(ctx, older) {
		r.id = older // it began before there were keys
	}
	return r.sameSpec(ctx)
}

// sameSpec refuses the session of another spec: two paths can share a slug.
func (r *remote) sameSpec(ctx context.Context) error {
	found, err := r.DescribeWorkflow(ctx, r.id, "")
	if err != nil || found.Status != enums.WORKFLOW_EXECUTION_STATUS_RUNNING {
		return nil //nolint:nilerr // whoever needs the session says what is wrong
	}
	var spec string
	if value, is := found.Memo.GetFields()[specMemo]; is {
		err = r.data.FromPayload(value, &spec)
	}
	return errors.Join(err, r.place.NotAnothers(machine.State{SpecPath: spec}))
}

// specMemo is where a workflow has the path of its spec.
const specMemo = "spec"

// workflow is the id of a session's, by its slug as Temporal shows it.
func (r *remote) workflow(slug string) string { return "autopilot/" + r.repository + "/" + slug }

// has says whether the server knows a workflow.
func (r *remote) has(ctx context.Context, id string) bool {
	_, err := r.DescribeWorkflow(ctx, id, "")
	return err == nil
}

// patience is how long a worker may take to answer for a session.
const patience = 30 * time.Second

// state asks for the session's state.
func (r *remote) state(ctx context.Context) (s machine.State, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	value, err := r.QueryWorkflow(ctx, r.id, "", flow.StateQuery)
	if err == nil {
		err = value.Get(&s)
	}
	return s, r.explain(err)
}

// update sends the session an update of a person, and waits until it is done. A worker has to accept it within patience.
func (r *remote) update(ctx context.Context, f *fleet, name string, arg any) error {
	accepting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	handle, err := r.UpdateWorkflow(accepting, client.UpdateWorkflowOptions{WorkflowID: r.id, UpdateName: name, Args: []any{arg}, WaitForStage: client.WorkflowUpdateStageAccepted})
	if err == nil {
		late := time.AfterFunc(patience, func() {
			fmt.Fprintf(f.Err, "Accepted, and still waiting for a worker. See what the session waits for: autopilot-temporal status %s\n", r.spec)
		})
		defer late.Stop()
		err = handle.Get(ctx, nil)
	}
	return r.explain(err)
}

// explain says in a person's words what the server refused.
func (r *remote) explain(err error) error {
	if _, none := errors.AsType[*serviceerror.NotFound](err); none {
		return console.UsageError("no session of %s runs on the Temporal server\n  start one: autopilot-temporal submit %s\n  get one that ended, with its branch checked out: autopilot-temporal fetch %s\n  then continue it: autopilot-temporal submit %s --from-session", r.spec, r.spec, r.spec, r.spec)
	}
	if app, is := errors.AsType[*temporal.ApplicationError](err); is {
		switch app.Type() {
		case flow.AnswerErrorType:
			return console.UsageError("%s\nThe question and its options: autopilot-temporal status %s", app.Message(), r.spec)
		case flow.IllegalErrorType:
			return console.UsageError("%s", app.Message())
		}
	}
	if unanswered(err) {
		return &console.CodedError{Code: 4, Err: fmt.Errorf("no worker answers for the session of %s (%s)\n  start one: autopilot-temporal worker --repository %s\n  get what was saved: autopilot-temporal fetch %s", r.spec, r.id, hub.WithoutLogin(r.url), r.spec)}
	}
	return err
}

// unanswered says whether an error of the server means that no worker took the question.
func unanswered(err error) bool {
	code := serviceerror.ToStatus(err).Code()
	return code == codes.FailedPrecondition || code == codes.Canceled || code == codes.DeadlineExceeded
}
