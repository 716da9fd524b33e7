package machine

// Usage counts what dispatches cost.
type Usage struct {
	Dispatches   int     `json:"dispatches"`
	InputTokens  int     `json:"inputTokens"`
	CachedTokens int     `json:"cachedTokens"`
	OutputTokens int     `json:"outputTokens"`
	CostUSD      float64 `json:"costUSD"`
}

// Plus adds two usages.
func (u Usage) Plus(v Usage) Usage {
	return Usage{
		Dispatches: u.Dispatches + v.Dispatches, InputTokens: u.InputTokens + v.InputTokens,
		CachedTokens: u.CachedTokens + v.CachedTokens, OutputTokens: u.OutputTokens + v.OutputTokens,
		CostUSD: u.CostUSD + v.CostUSD,
	}
}

// Minus is what was used between v and u.
func (u Usage) Minus(v Usage) Usage {
	return u.Plus(Usage{-v.Dispatches, -v.InputTokens, -v.CachedTokens, -v.OutputTokens, -v.CostUSD})
}
