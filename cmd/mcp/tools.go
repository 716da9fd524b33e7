package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions"
)

// mcpServer answers the calls of one MCP client. Each call runs the command of the same name.
type mcpServer struct {
	*mcpOptions
	root string // of the repository
	only string // the one spec that is served; "": all of the repository

	answering sync.Mutex
}

// console is a host for one call: what the command prints is the call's result.
func (s *mcpServer) console() (*console.Host, *bytes.Buffer) {
	return s.host.Captured(s.root, "mcp")
}

// offer makes a tool of a function. An error is the tool's answer: it says what to do.
func offer[In any](serving context.Context, server *mcp.Server, t mcp.Tool, reads bool, run func(context.Context, In) (string, error)) {
	t.Annotations = &mcp.ToolAnnotations{ReadOnlyHint: reads, OpenWorldHint: new(bool)}
	mcp.AddTool(server, &t, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(serving, stop)() // the server ends, and with it what it is at
		text, err := run(ctx, in)
		result := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: console.Clean(text)}}}
		if err != nil {
			result = &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: console.Clean(console.WithRemedy(err))}}}
		}
		return result, nil, nil
	})
}

type ofSpec struct {
	Spec string `json:"spec,omitempty" jsonschema:"path of the spec from the repository's root; may be left out while one session is open"`
}

type ofLog struct {
	ofSpec
	Lines int `json:"lines,omitempty" jsonschema:"how many of the last lines; 50 if left out"`
}

type ofEvents struct {
	ofSpec
	After int64 `json:"after,omitempty" jsonschema:"the revision after which to begin: next of the page before; 0 is the beginning"`
	Limit int   `json:"limit,omitempty" jsonschema:"how many at most, up to 200; 50 if left out"`
}

type ofPlan struct {
	ofSpec
	Phase any `json:"phase,omitempty" jsonschema:"number of the phase as the spec writes it, such as 2 or 2a; the current one if left out"` // a text or a number
}

// readers are the tools that change nothing.
func (s *mcpServer) readers(serving context.Context, server *mcp.Server) {
	read := func(name, about string) mcp.Tool { return mcp.Tool{Name: name, Description: about} }
	offer(serving, server, read("sessions", "List the sessions: spec, state, phase, open question, last activity."), true, s.sessions)
	offer(serving, server, read("status", "Phases, tasks, open question and usage of a session, as JSON."), true, func(ctx context.Context, in ofSpec) (string, error) {
		return s.about(ctx, in.Spec, "status", "--json")
	})
	offer(serving, server, read("why", "What a session does, why it stopped, what a resume will do, as JSON."), true, func(ctx context.Context, in ofSpec) (string, error) {
		return s.about(ctx, in.Spec, "why", "--json")
	})
	offer(serving, server, read("log", "The last lines of what a session did, for people."), true, func(ctx context.Context, in ofLog) (string, error) {
		return s.about(ctx, in.Spec, "log", fmt.Sprintf("--lines=%d", orFifty(in.Lines)))
	})
	offer(serving, server, read("events", "The journal of a session from a revision on, a page at a time, as JSON."), true, s.events)
	offer(serving, server, read("gates", "The open questions with their options, of one session or of all, as JSON."), true, s.gates)
	offer(serving, server, read("plan", "The plan of a phase, as Markdown."), true, s.plan)
}

// orFifty is how many lines or events are wanted; 0 and less mean that nothing was said.
func orFifty(n int) int {
	return cmp.Or(max(n, 0), 50)
}

// about runs a command on a spec and returns what it prints.
func (s *mcpServer) about(ctx context.Context, named string, args ...string) (string, error) {
	spec, err := s.spec(ctx, named)
	if err != nil {
		return "", err
	}
	return s.printed(ctx, append(args, "--", spec)...)
}

// printed runs a command and returns what it prints.
func (s *mcpServer) printed(ctx context.Context, args ...string) (string, error) {
	h, out := s.console()
	err := s.run(ctx, h, args)
	return out.String(), err
}

// spec is the session that a call is about, as a path from the repository's root.
func (s *mcpServer) spec(ctx context.Context, named string) (string, error) {
	if named == "" && s.only == "" {
		return s.oneOpen()
	}
	h, _ := s.console()
	named = cmp.Or(named, s.only)
	outside := console.UsageError("%s lies outside of the repository that is served here; the tool sessions lists what there is", named)
	if rel, err := filepath.Rel(s.root, h.Path(named)); err != nil || !filepath.IsLocal(rel) {
		return "", outside
	}
	w, err := app.FindWorkspace(ctx, h, named, git.Find)
	switch {
	case err != nil:
		return "", err
	case w.Repo.Root() != s.root:
		return "", outside
	case s.only != "" && w.Rel != s.only:
		return "", console.UsageError("only %s is served here, not %s; leave out the argument spec", s.only, w.Rel)
	}
	return w.Rel, nil
}

// oneOpen is the session that must be meant where none is named.
func (s *mcpServer) oneOpen() (string, error) {
	all, err := app.WithOlder(s.host, s.root)
	if err != nil {
		return "", err
	}
	var open []string
	for _, one := range all {
		if one.Err == nil && one.State.CurrentState != machine.Done {
			open = append(open, one.State.SpecPath)
		}
	}
	switch len(open) {
	case 0:
		return "", console.UsageError("no session is open: name the spec of a finished one; the tool sessions lists them")
	case 1:
		return open[0], nil
	}
	return "", console.UsageError("%d sessions are open; name one with spec: %s", len(open), strings.Join(open, ", "))
}

// sessions is what autopilot list --json prints, of the sessions that are served.
func (s *mcpServer) sessions(ctx context.Context, _ struct{}) (string, error) {
	repo, err := app.UserRepoAt(ctx, s.root, git.Find)
	if err != nil {
		return "", err
	}
	all, err := app.Rows(s.host, repo)
	if err != nil {
		return "", err
	}
	served := []app.Listed{}
	for _, row := range all {
		if s.only == "" || row.Spec == s.only {
			served = append(served, row)
		}
	}
	return asJSON(served)
}

// eventPage bounds a page of events, in bytes.
const eventPage = 100_000

// events is a page of a session's journal.
func (s *mcpServer) events(ctx context.Context, in ofEvents) (string, error) {
	w, state, err := s.session(ctx, in.Spec)
	if err != nil {
		return "", err
	}
	limit := min(orFifty(in.Limit), 200)
	found, err := sessions.Events(w.Session, max(in.After, 0), limit, eventPage, w.SessionOptions(ctx))
	if err != nil {
		return "", err
	}
	next := max(in.After, 0) + int64(len(found)) // a journal has no gaps
	page := map[string]any{"spec": w.Rel, "revision": state.Revision, "events": append([]json.RawMessage{}, found...), "next": next, "more": len(found) > 0 && next < state.Revision}
	return asJSON(page)
}

// session reads the session that a call is about.
func (s *mcpServer) session(ctx context.Context, named string) (*app.Workspace, machine.State, error) {
	spec, err := s.spec(ctx, named)
	if err != nil {
		return nil, machine.State{}, err
	}
	h, _ := s.console()
	return app.ReadSession(ctx, h, spec)
}

// openGate is a session with its open question.
type openGate struct {
	Spec string            `json:"spec"`
	Gate *console.GateView `json:"gate"`
}

// gates are the open questions of a session, or of all that are served.
func (s *mcpServer) gates(ctx context.Context, in ofSpec) (string, error) {
	open := []openGate{}
	note := func(state machine.State) {
		if state.Gate != nil {
			open = append(open, openGate{Spec: state.SpecPath, Gate: console.ShownGate(*state.Gate, state.SpecPath)})
		}
	}
	if named := cmp.Or(in.Spec, s.only); named != "" {
		_, state, err := s.session(ctx, named)
		if err != nil {
			return "", err
		}
		note(state)
	} else {
		all, err := app.WithOlder(s.host, s.root)
		if err != nil {
			return "", err
		}
		for _, one := range all {
			note(one.State)
		}
	}
	return asJSON(map[string]any{"gates": open, "answersAllowed": s.allowAnswers})
}

// plan reads the plan of a phase in the tree that the session works in.
func (s *mcpServer) plan(ctx context.Context, in ofPlan) (string, error) {
	w, state, err := s.session(ctx, in.Spec)
	if err != nil {
		return "", err
	}
	p := state.Phases[state.CurrentPhase]
	if in.Phase != nil && in.Phase != "" {
		at := slices.IndexFunc(state.Phases, func(p machine.Phase) bool { return p.Number == fmt.Sprint(in.Phase) })
		if at < 0 {
			return "", console.UsageError("%s has no phase %v; the tool status lists the phases", w.Rel, in.Phase)
		}
		p = state.Phases[at]
	}
	return w.PlanText(state, p)
}

func asJSON(v any) (string, error) {
	text, err := json.Marshal(v)
	return string(text), err
}
