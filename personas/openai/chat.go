package openai

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	api "github.com/sashabaranov/go-openai"

	"autopilot/personas"
)

func (m *Model) request(messages []personas.Message, tools []personas.Tool) api.ChatCompletionRequest {
	r := api.ChatCompletionRequest{Model: m.o.Model, MaxCompletionTokens: m.o.MaxTokens, ReasoningEffort: m.effort(tools)}
	if m.o.Quirks.MaxTokens && !reasons(m.o.Model) {
		r.MaxTokens, r.MaxCompletionTokens = r.MaxCompletionTokens, 0 //nolint:staticcheck // these servers know no other
	}
	for _, message := range messages {
		r.Messages = append(r.Messages, outgoing(message))
	}
	for _, t := range tools {
		r.Tools = append(r.Tools, api.Tool{Type: api.ToolTypeFunction, Function: &api.FunctionDefinition{
			Name: t.Name, Description: t.Description, Parameters: t.Parameters,
		}})
	}
	return r
}

// reasons knows the models for which the library refuses max_tokens, by the
// beginnings of their names.
func reasons(model string) bool {
	return slices.ContainsFunc([]string{"o1", "o3", "o4", "gpt-5", "gpt-6"}, func(s string) bool { return strings.HasPrefix(model, s) })
}

// effort is the wish of the user. Models that take tools through chat
// completions only when they do not reason get that without a wish.
func (m *Model) effort(tools []personas.Tool) string {
	if m.o.Effort == "" && len(tools) > 0 && (m.o.Model == api.GPT6Sol || m.o.Model == api.GPT6Luna) {
		return api.ReasoningEffortNone
	}
	return m.o.Effort
}

// outgoing fills empty contents: go-openai leaves the key out, and some servers
// refuse a message without one. Thoughts go back with calls only, where DeepSeek refuses the request without them
// (api-docs.deepseek.com/guides/thinking_mode); older models refuse them elsewhere.
func outgoing(message personas.Message) api.ChatCompletionMessage {
	out := api.ChatCompletionMessage{Role: message.Role, Content: message.Content, ToolCallID: message.CallID}
	for _, call := range message.Calls {
		out.ToolCalls = append(out.ToolCalls, api.ToolCall{
			ID: call.ID, Type: api.ToolTypeFunction,
			Function: api.FunctionCall{Name: call.Name, Arguments: orEmptyObject(call.Arguments)},
		})
	}
	if len(out.ToolCalls) > 0 {
		out.ReasoningContent = message.Reasoning
	}
	if strings.TrimSpace(out.Content) == "" && len(out.ToolCalls) == 0 {
		out.Content = "(no output)"
	}
	return out
}

func orEmptyObject(arguments string) string {
	if strings.TrimSpace(arguments) == "" {
		return "{}"
	}
	return arguments
}

// whole asks for the answer in one piece.
func (m *Model) whole(ctx context.Context, r api.ChatCompletionRequest, seen *observation) (personas.Message, personas.Usage, error) {
	resp, err := m.client.CreateChatCompletion(ctx, r)
	if err != nil {
		return personas.Message{}, personas.Usage{}, err
	}
	used := usage(&resp.Usage)
	if len(resp.Choices) == 0 {
		return personas.Message{}, used, errors.New("the answer has no choices")
	}
	answer := resp.Choices[0].Message
	message := personas.Message{Role: personas.RoleAssistant, Content: cmp.Or(answer.Content, answer.Refusal), Reasoning: answer.ReasoningContent}
	for _, call := range answer.ToolCalls {
		message.Calls = append(message.Calls, personas.Call{ID: call.ID, Name: call.Function.Name, Arguments: call.Function.Arguments})
	}
	seen.stream.judge() // the last line may have no end
	attach(message.Calls, seen.stream.extras)
	return message, m.counted(used, r, message), nil
}

// stream puts the answer together from its pieces.
func (m *Model) stream(ctx context.Context, r api.ChatCompletionRequest, seen *observation) (personas.Message, personas.Usage, error) {
	if !m.o.Quirks.NoStreamOptions {
		r.StreamOptions = &api.StreamOptions{IncludeUsage: true}
	}
	s, err := m.client.CreateChatCompletionStream(ctx, r)
	if err != nil {
		return personas.Message{}, personas.Usage{}, err
	}
	defer s.Close()
	var p pieces
	for {
		chunk, err := s.Recv()
		switch {
		case errors.Is(err, io.EOF) && (p.finished || seen.stream.done && p.begun()):
			message := p.message()
			attach(message.Calls, seen.stream.extras)
			return message, m.counted(p.used, r, message), nil
		case errors.Is(err, io.EOF): // the library ends a cut stream like a whole one
			return personas.Message{}, guessed(p.used, r, p.message()), io.ErrUnexpectedEOF
		case err != nil:
			return personas.Message{}, guessed(p.used, r, p.message()), err
		}
		switch p.add(chunk); {
		case p.size() > maxAnswer:
			return personas.Message{}, guessed(p.used, r, p.message()), errTooLong
		case p.failed:
			return personas.Message{}, guessed(p.used, r, p.message()), errInStream
		}
	}
}

// pieces of an answer. The last chunk may hold the usage and no choice.
type pieces struct {
	text     strings.Builder
	thoughts strings.Builder
	calls    []*callPieces
	inCalls  int // bytes that the calls take
	used     personas.Usage
	finished bool
	failed   bool // the server says that it could not finish
}

type callPieces struct {
	index     int
	id, name  string
	arguments strings.Builder
}

func (p *pieces) add(chunk api.ChatCompletionStreamResponse) {
	if chunk.Usage != nil {
		p.used = usage(chunk.Usage)
	}
	for _, choice := range chunk.Choices {
		if choice.Index != 0 {
			continue
		}
		p.text.WriteString(choice.Delta.Content)
		p.text.WriteString(choice.Delta.Refusal)
		p.thoughts.WriteString(choice.Delta.ReasoningContent)
		for _, delta := range choice.Delta.ToolCalls {
			p.addCall(delta)
		}
		p.failed = p.failed || choice.FinishReason == "error"
		p.finished = p.finished || choice.FinishReason != "" && choice.FinishReason != api.FinishReasonNull
	}
}

func (p *pieces) addCall(delta api.ToolCall) {
	call := p.call(delta)
	call.id, call.name = cmp.Or(call.id, delta.ID), cmp.Or(call.name, delta.Function.Name)
	call.arguments.WriteString(delta.Function.Arguments)
	p.inCalls += len(delta.ID) + len(delta.Function.Name) + len(delta.Function.Arguments)
}

// call finds the call that a piece belongs to: by its index; servers that give
// none, or 0 for each, begin a new call with a new id.
func (p *pieces) call(delta api.ToolCall) *callPieces {
	for i := len(p.calls) - 1; i >= 0; i-- {
		call := p.calls[i]
		if delta.Index != nil && *delta.Index != call.index {
			continue
		}
		if delta.ID == "" || call.id == "" || delta.ID == call.id {
			return call
		}
		break
	}
	call := &callPieces{index: len(p.calls)}
	if delta.Index != nil {
		call.index = *delta.Index
	}
	p.calls, p.inCalls = append(p.calls, call), p.inCalls+onesOwn
	return call
}

// begun says whether there is an answer: some gateways end a stream without a reason to finish.
func (p *pieces) begun() bool { return p.text.Len() > 0 || len(p.calls) > 0 }

func (p *pieces) message() personas.Message {
	message := personas.Message{Role: personas.RoleAssistant, Content: p.text.String(), Reasoning: p.thoughts.String()}
	for _, call := range p.calls {
		message.Calls = append(message.Calls, personas.Call{ID: call.id, Name: call.name, Arguments: call.arguments.String()})
	}
	return message
}
