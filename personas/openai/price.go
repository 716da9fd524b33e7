package openai

import (
	"strings"

	api "github.com/sashabaranov/go-openai"

	"autopilot/personas"
)

// Price of a model in US dollars for a million tokens.
type Price struct {
	Model  string // a name, also good for its dated versions (NAME-2025-08-07)
	Input  float64
	Cached float64 // input that the provider had cached
	Output float64
}

// prices are OpenAI's list prices. A model that is not here costs 0: a budget
// in dollars needs its price in the configuration.
var prices = []Price{
	{"gpt-4o", 2.50, 1.25, 10},
	{"gpt-4o-mini", 0.15, 0.075, 0.60},
	{"gpt-4.1", 2, 0.50, 8},
	{"gpt-4.1-mini", 0.40, 0.10, 1.60},
	{"gpt-4.1-nano", 0.10, 0.025, 0.40},
	{"gpt-5", 1.25, 0.125, 10},
	{"gpt-5-mini", 0.25, 0.025, 2},
	{"gpt-5-nano", 0.05, 0.005, 0.40},
	{"o3", 2, 0.50, 8},
	{"o4-mini", 1.10, 0.275, 4.40},
}

func usage(u *api.Usage) personas.Usage {
	out := personas.Usage{InputTokens: u.PromptTokens, OutputTokens: u.CompletionTokens}
	if u.PromptTokensDetails != nil {
		out.CachedTokens = u.PromptTokensDetails.CachedTokens
	}
	return out
}

// price adds what the usage cost.
func (m *Model) price(u personas.Usage) personas.Usage {
	name := m.o.Model[strings.LastIndex(m.o.Model, "/")+1:] // "openai/gpt-4o" of a router
	for _, list := range [][]Price{m.o.Prices, prices} {
		for _, p := range list {
			if p.Model == m.o.Model || p.covers(name) {
				fresh := max(0, u.InputTokens-u.CachedTokens)
				u.CostUSD = (float64(fresh)*p.Input + float64(u.CachedTokens)*p.Cached + float64(u.OutputTokens)*p.Output) / 1e6
				return u
			}
		}
	}
	return u
}

// covers takes dated versions, and not "gpt-5-pro" for "gpt-5".
func (p Price) covers(name string) bool {
	rest, ok := strings.CutPrefix(name, p.Model)
	return ok && (rest == "" || len(rest) > 1 && rest[0] == '-' && rest[1] >= '0' && rest[1] <= '9')
}
