package openai

import (
	"testing"

	api "github.com/sashabaranov/go-openai"
)

// TestThoughtsThatAServerCountsApartAreOutput: some count them in the total alone.
func TestThoughtsThatAServerCountsApartAreOutput(t *testing.T) {
	for name, c := range map[string]struct {
		told api.Usage
		want int
	}{
		"inside":         {api.Usage{PromptTokens: 20, CompletionTokens: 603, TotalTokens: 623}, 603},
		"apart":          {api.Usage{PromptTokens: 20, CompletionTokens: 198, TotalTokens: 623}, 603},
		"nothing beside": {api.Usage{PromptTokens: 21, TotalTokens: 81}, 60},
		"no total":       {api.Usage{PromptTokens: 20, CompletionTokens: 198}, 198},
	} {
		if got := usage(&c.told); got.InputTokens != c.told.PromptTokens || got.OutputTokens != c.want {
			t.Errorf("%s: %+v, want %d of output", name, got, c.want)
		}
	}
}
