package acp

import (
	"testing"

	acp "github.com/coder/acp-go-sdk"

	"autopilot/personas"
)

func TestUsageCountsThoughtsAndTheCacheOnce(t *testing.T) {
	some := func(n int) *int { return &n }
	for name, c := range map[string]struct {
		told acp.Usage
		want personas.Usage
	}{
		"the cache apart":              {acp.Usage{InputTokens: 10, OutputTokens: 5, CachedReadTokens: some(5000), CachedWriteTokens: some(200), TotalTokens: 5215}, personas.Usage{InputTokens: 5210, CachedTokens: 5000, OutputTokens: 5}},
		"the cache and thoughts apart": {acp.Usage{InputTokens: 10, OutputTokens: 5, CachedReadTokens: some(5000), CachedWriteTokens: some(200), ThoughtTokens: some(300), TotalTokens: 5515}, personas.Usage{InputTokens: 5210, CachedTokens: 5000, OutputTokens: 305}},
		"both inside":                  {acp.Usage{InputTokens: 5010, OutputTokens: 305, CachedReadTokens: some(5000), ThoughtTokens: some(300), TotalTokens: 5315}, personas.Usage{InputTokens: 5010, CachedTokens: 5000, OutputTokens: 305}},
		"thoughts apart alone":         {acp.Usage{InputTokens: 10, OutputTokens: 5, ThoughtTokens: some(3), TotalTokens: 18}, personas.Usage{InputTokens: 10, OutputTokens: 8}},
	} {
		if got := usageOf(acp.PromptResponse{Usage: &c.told}); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
