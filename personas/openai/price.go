package openai

import (
	"strings"

	api "github.com/sashabaranov/go-openai"

	"autopilot/autopilot/lazyregexp"
	"autopilot/personas"
)

// Price of a model in US dollars for a million tokens.
type Price struct {
	Model  string // a name, also good for its dated versions (NAME-2025-08-07)
	Input  float64
	Cached float64 // input that the provider had cached
	Output float64
}

// prices are the providers' list prices of November 2026 for prompts of usual
// length. A model that is not here costs 0: a budget in dollars needs its price
// in the configuration.
var prices = []Price{
	{"gpt-4o", 2.50, 1.25, 10},
	{"gpt-4o-mini", 0.15, 0.075, 0.60},
	{"gpt-4.1", 2, 0.50, 8},
	{"gpt-4.1-mini", 0.40, 0.10, 1.60},
	{"gpt-4.1-nano", 0.10, 0.025, 0.40},
	{"o3", 2, 0.50, 8},
	{"o4-mini", 1.10, 0.275, 4.40},
	{"gpt-5", 1.25, 0.125, 10},
	{"gpt-5-mini", 0.25, 0.025, 2},
	{"gpt-5-nano", 0.05, 0.005, 0.40},
	{"gpt-5.1", 1.25, 0.125, 10},
	{"gpt-5.2", 1.75, 0.175, 14},
	{"gpt-5.2-codex", 1.75, 0.175, 14},
	{"gpt-5.3-codex", 1.75, 0.175, 14},
	{"gpt-5.4", 2.50, 0.25, 15},
	{"gpt-5.4-mini", 0.75, 0.075, 4.50},
	{"gpt-5.4-nano", 0.20, 0.02, 1.25},
	{"gpt-5.5", 5, 0.50, 30},
	{"gpt-5.6-sol", 5, 0.50, 30},
	{"gpt-5.6-terra", 2, 0.20, 12},
	{"gpt-5.6-luna", 0.20, 0.02, 1.20},
	{"gpt-6-sol", 2, 0.20, 10},
	{"gpt-6-luna", 0.10, 0.01, 0.50},
	{"gpt-6.1-sol", 2, 0.10, 10},
	{"gpt-6.1-terra", 1, 0.05, 5},

	{"claude-haiku-4.5", 1, 0.10, 5},
	{"claude-haiku-5.5", 0.10, 0.01, 0.50},
	{"claude-sonnet-4", 3, 0.30, 15},
	{"claude-sonnet-4.5", 3, 0.30, 15},
	{"claude-sonnet-4.6", 3, 0.30, 15},
	{"claude-sonnet-5", 2, 0.20, 10},
	{"claude-sonnet-5.5", 2, 0.10, 10},
	{"claude-opus-4.5", 5, 0.50, 25},
	{"claude-opus-4.6", 5, 0.50, 25},
	{"claude-opus-4.7", 5, 0.50, 25},
	{"claude-opus-4.8", 5, 0.50, 25},
	{"claude-opus-5", 5, 0.50, 25},
	{"claude-opus-5.5", 4, 0.20, 20},
	{"claude-fable-5", 10, 1, 50},
	{"claude-fable-5.1", 10, 0.25, 50},

	// Google's list (ai.google.dev/gemini-api/docs/pricing) as price comparisons
	// of 2026 quote it, for prompts of up to 200,000 tokens.
	{"gemini-2.5-pro", 1.25, 0.125, 10},
	{"gemini-2.5-flash", 0.30, 0.03, 2.50},
	{"gemini-2.5-flash-lite", 0.10, 0.01, 0.40},
	{"gemini-3-flash", 0.50, 0.05, 3},
	{"gemini-3.1-flash-lite", 0.25, 0.025, 1.50},
	{"gemini-3.1-pro", 2, 0.20, 12},
	{"gemini-3.5-flash", 1.50, 0.15, 9},

	// DeepSeek's list as checked in October 2026: the prices of its peak hours, so
	// that a budget is not passed in them. At other times it takes half.
	{"deepseek-flash", 0.30, 0.006, 1.20},
	{"deepseek-v4-pro", 1.32, 0.044, 3.96},

	// Z.ai's list (docs.z.ai/guides/overview/pricing) as programs of August 2026
	// carry it; Zhipu's own platform takes other prices, in yuan.
	{"glm-4.5", 0.60, 0.11, 2.20},
	{"glm-4.6", 0.60, 0.11, 2.20},
	{"glm-4.7", 0.60, 0.11, 2.20},
	{"glm-5", 1, 0.20, 3.20},
	{"glm-5-turbo", 1.20, 0.24, 4},
	{"glm-5.1", 1.40, 0.26, 4.40},
	{"glm-5.2", 1.40, 0.26, 4.40},
	{"glm-5.3", 1.40, 0.26, 4.40},

	// Mistral's list as model catalogues of 2026 carry it; without a price for
	// what was cached. Of names that move to another model, only those that cost
	// the same wherever they stood.
	{"codestral", 0.30, 0.30, 0.90},
	{"magistral-medium", 2, 2, 5},
	{"mistral-large-2512", 0.50, 0.50, 1.50},
	{"mistral-medium-2508", 0.40, 0.40, 2},

	// Groq's own names, of 2026. Models that anybody may serve at home
	// (gpt-oss-120b) are left out: there they cost nothing.
	{"llama-3.1-8b-instant", 0.05, 0.05, 0.08},
	{"llama-3.3-70b-versatile", 0.59, 0.59, 0.79},
}

// usage counts what a server told. Some count thoughts in the total alone.
func usage(u *api.Usage) personas.Usage {
	out := personas.Usage{InputTokens: u.PromptTokens, OutputTokens: max(u.CompletionTokens, u.TotalTokens-u.PromptTokens)}
	if u.PromptTokensDetails != nil {
		out.CachedTokens = u.PromptTokensDetails.CachedTokens
	}
	return out.Plausible()
}

// price adds what the usage cost.
func (m *Model) price(u personas.Usage) personas.Usage {
	p, _ := m.priceOf()
	fresh := max(0, u.InputTokens-u.CachedTokens)
	u.CostUSD = (float64(fresh)*p.Input + float64(u.CachedTokens)*p.Cached + float64(u.OutputTokens)*p.Output) / 1e6
	return u
}

// Priced says whether it is known what the model costs.
func (m *Model) Priced() bool {
	_, ok := m.priceOf()
	return ok
}

// priceOf finds the price of the model: the configuration's own before the
// built-in one, and a router's variant that costs nothing.
func (m *Model) priceOf() (Price, bool) {
	name := m.o.Model[strings.LastIndex(m.o.Model, "/")+1:] // "openai/gpt-4o" of a router
	for _, list := range [][]Price{m.o.Prices, prices} {
		for _, p := range list {
			if p.Model == m.o.Model || p.covers(name) {
				return p, true
			}
		}
	}
	return Price{}, strings.HasSuffix(name, ":free")
}

// version is what may follow a model's name without making another of it.
var version = lazyregexp.New(`^(?:-\d{4}[\d-]*|-preview|-latest)*$`)

// covers takes dated versions, and not "gpt-5-pro" for "gpt-5". Some providers
// write a dash for the dot of a number.
func (p Price) covers(name string) bool {
	rest, ok := strings.CutPrefix(dashed.Replace(name), dashed.Replace(p.Model))
	return ok && version.MatchString(rest)
}

var dashed = strings.NewReplacer(".", "-")
