package openai

import (
	"encoding/json"

	api "github.com/sashabaranov/go-openai"

	"autopilot/personas"
)

// bytesOfToken is how many bytes of a text are taken for a token where the server counts none.
const bytesOfToken = 4

// counted is what a whole answer used. A server that does not say is told of.
func (m *Model) counted(used personas.Usage, r api.ChatCompletionRequest, answer personas.Message) personas.Usage {
	counted := guessed(used, r, answer)
	if counted != used && m.o.Guessing != nil {
		m.guessing.Do(m.o.Guessing)
	}
	return counted
}

// guessed is what an answer used, also one that broke off before its server could say: what it says, else a guess by the
// length of the texts, so that no budget is blind. Where there is no answer at all, nothing was used.
func guessed(used personas.Usage, r api.ChatCompletionRequest, answer personas.Message) personas.Usage {
	out := len(answer.Content) + len(answer.Reasoning)
	for _, call := range answer.Calls {
		out += len(call.Name) + len(call.Arguments)
	}
	if used.InputTokens+used.OutputTokens > 0 || out == 0 {
		return used
	}
	request, err := json.Marshal(r)
	if err != nil {
		return used
	}
	return personas.Usage{InputTokens: len(request) / bytesOfToken, OutputTokens: max(out/bytesOfToken, 1)}
}
