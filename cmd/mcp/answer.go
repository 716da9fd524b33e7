package mcp

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
)

var answerTool = mcp.Tool{
	Name:        "answer",
	Description: "Answer an open question of a session. The answer is recorded as by mcp, and a human sees it; ask your user unless you were told to decide.",
}

type ofAnswer struct {
	ofSpec
	Gate    string `json:"gate" jsonschema:"id of the open question, such as g12; the tool gates tells it"`
	Option  string `json:"option" jsonschema:"name or number of one of its options"`
	Comment string `json:"comment,omitempty" jsonschema:"the reason, or what should change; some options want one"`
	Summary string `json:"summary,omitempty" jsonschema:"with the option done, where a person was to do the work: what was done; the reply is made of it"`
	Phase   int    `json:"phase,omitempty" jsonschema:"with the option redo of spec_changed: the phase to redo, counted from 1"`
}

// answer goes the way of autopilot answer, once the gate is the one that the client saw.
func (s *mcpServer) answer(ctx context.Context, in ofAnswer) (string, error) {
	s.answering.Lock()
	defer s.answering.Unlock()
	w, state, err := s.session(ctx, in.Spec)
	if err != nil {
		return "", err
	}
	a := machine.Answer{Gate: in.Gate, Option: in.Option, Reason: in.Comment, Summary: in.Summary, Phase: in.Phase}
	return app.Answering(state, a, w.Rel, func(args ...string) (string, error) { return s.printed(ctx, args...) })
}
