package acp

import (
	"encoding/json"

	acp "github.com/coder/acp-go-sdk"

	"autopilot/personas"
	"autopilot/personas/command"
)

// usage counts tokens, in each of the spellings that programs have for them.
type usage struct {
	Input    int `json:"inputTokens"`
	Output   int `json:"outputTokens"`
	Read     int `json:"cachedReadTokens"`
	Written  int `json:"cachedWriteTokens"`
	Thought  int `json:"thoughtTokens"`
	Total    int `json:"totalTokens"`
	PlainIn  int `json:"input_tokens"`
	PlainOut int `json:"output_tokens"`
	CachedIn int `json:"cachedInputTokens"`
}

func (u usage) usage() personas.Usage {
	in, out, cached := u.Input+u.PlainIn, u.Output+u.PlainOut, max(u.Read, u.CachedIn)
	switch u.Total - in - out { // what is counted apart
	case u.Read + u.Written:
		in += u.Read + u.Written
	case u.Read + u.Written + u.Thought:
		in, out = in+u.Read+u.Written, out+u.Thought
	case u.Thought:
		out += u.Thought
	}
	return personas.Usage{InputTokens: in, CachedTokens: cached, OutputTokens: out}
}

// usageOf finds the usage of a turn: in the answer, else in what programs add to it; none: it is not told there.
func usageOf(r acp.PromptResponse) personas.Usage {
	if r.Usage != nil {
		u := usage{Input: r.Usage.InputTokens, Output: r.Usage.OutputTokens, Total: r.Usage.TotalTokens}
		if r.Usage.CachedReadTokens != nil {
			u.Read = *r.Usage.CachedReadTokens
		}
		if r.Usage.CachedWriteTokens != nil {
			u.Written = *r.Usage.CachedWriteTokens
		}
		if r.Usage.ThoughtTokens != nil {
			u.Thought = *r.Usage.ThoughtTokens
		}
		return u.usage()
	}
	added, err := json.Marshal(r.Meta["quota"])
	var quota struct {
		Count *usage `json:"token_count"`
	}
	if err != nil || !command.Decode(added, &quota) || quota.Count == nil {
		return personas.Usage{}
	}
	return quota.Count.usage()
}
