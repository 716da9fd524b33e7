package machine

import (
	"fmt"
	"strings"
)

// Metrics tell how dispatches that ended went, besides what they used: of one, or summed over all. What a backend cannot
// see into its agent to tell stays zero.
type Metrics struct {
	Ended        int     `json:"ended"` // dispatches
	Turns        int     `json:"turns,omitempty"`
	Seconds      float64 `json:"seconds,omitempty"` // from begin to end
	ToolCalls    int     `json:"toolCalls,omitempty"`
	ToolFailures int     `json:"toolFailures,omitempty"` // calls that were answered with an error
	Compactions  int     `json:"compactions,omitempty"`
	Checked      int     `json:"checked,omitempty"`   // dispatches whose work was checked when it was first submitted as done
	FirstPass    int     `json:"firstPass,omitempty"` // and whose work passed
	Refusals     int     `json:"refusals,omitempty"`  // how often work was submitted as done and refused
	Fill         int     `json:"fill,omitempty"`      // tokens of the largest prompt; summed: of the dispatch that came nearest to its window
	Window       int     `json:"window,omitempty"`    // tokens that its model takes, as far as is known
	ToldTools    int     `json:"toldTools,omitempty"` // dispatches whose backend told their tool calls
	ToldAll      int     `json:"toldAll,omitempty"`   // and all that stands here, as of the built-in agent
}

// Plus adds two metrics.
func (a Metrics) Plus(b Metrics) Metrics {
	sum := Metrics{
		Ended: a.Ended + b.Ended, Turns: a.Turns + b.Turns, Seconds: a.Seconds + b.Seconds,
		ToolCalls: a.ToolCalls + b.ToolCalls, ToolFailures: a.ToolFailures + b.ToolFailures, Compactions: a.Compactions + b.Compactions,
		Checked: a.Checked + b.Checked, FirstPass: a.FirstPass + b.FirstPass, Refusals: a.Refusals + b.Refusals,
		Fill: a.Fill, Window: a.Window, ToldTools: a.ToldTools + b.ToldTools, ToldAll: a.ToldAll + b.ToldAll,
	}
	if nearer := ratio(b.Fill, b.Window); nearer != nil && (ratio(a.Fill, a.Window) == nil || *nearer > *ratio(a.Fill, a.Window)) {
		sum.Fill, sum.Window = b.Fill, b.Window
	}
	return sum
}

// CountsShown are metrics as programs read them: a count stands there, also a zero, where a backend told it, and is absent
// where none did. Nobody takes a program that tells nothing for one that never failed.
type CountsShown struct {
	Metrics
	ToolCalls    *int `json:"toolCalls,omitempty"`
	ToolFailures *int `json:"toolFailures,omitempty"`
	Compactions  *int `json:"compactions,omitempty"`
	Checked      *int `json:"checked,omitempty"`
	FirstPass    *int `json:"firstPass,omitempty"`
	Refusals     *int `json:"refusals,omitempty"`
}

// Counts are the metrics as they are shown.
func (m Metrics) Counts() CountsShown {
	shown := func(told, count int) *int {
		if told == 0 && count == 0 {
			return nil
		}
		return &count
	}
	return CountsShown{
		Metrics: m, ToolCalls: shown(m.ToldTools, m.ToolCalls), ToolFailures: shown(m.ToldTools, m.ToolFailures),
		Compactions: shown(m.ToldAll, m.Compactions), Checked: shown(m.ToldAll, m.Checked),
		FirstPass: shown(m.ToldAll, m.FirstPass), Refusals: shown(m.ToldAll, m.Refusals),
	}
}

// MetricsShown are metrics with what follows from them: each rate of the sums, nil where nothing tells.
type MetricsShown struct {
	CountsShown
	ToolSuccessRate *float64 `json:"toolSuccessRate"` // of tool calls
	FirstPassRate   *float64 `json:"firstPassRate"`   // of dispatches whose work was checked when it was submitted
	ContextUse      *float64 `json:"contextUse"`      // the greatest part of a window that a dispatch ended with
	CachedRate      *float64 `json:"cachedRate"`      // of the tokens that were sent
	SecondsPerTurn  *float64 `json:"secondsPerTurn"`
	ContextStatus   string   `json:"contextStatus,omitempty"` // healthy below 40 %, warning below 70 %, danger
}

// contextStatus says how near the fullest context came to its window; "" where nothing tells.
func contextStatus(use *float64) string {
	switch {
	case use == nil:
		return ""
	case *use < 0.4:
		return "healthy"
	case *use < 0.7:
		return "warning"
	}
	return "danger"
}

func ratio(part, whole int) *float64 {
	if whole <= 0 {
		return nil
	}
	r := float64(part) / float64(whole)
	return &r
}

// String is what is known, in a line for people: "57 turns (3.2 s each), 80 tool calls (4 failed), work passed its first
// check in 5 of 6 dispatches, 1 compaction, fullest context 62 % of 200000 tokens".
func (shown MetricsShown) String() string {
	m := shown.Metrics
	var parts []string
	tell := func(known bool, format string, args ...any) {
		if known {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	turns := Plural(m.Turns, "turn", "turns")
	if shown.SecondsPerTurn != nil && *shown.SecondsPerTurn >= 0.05 {
		turns += fmt.Sprintf(" (%.1f s each)", *shown.SecondsPerTurn)
	}
	tell(m.Turns > 0, "%s", turns)
	tell(m.ToolCalls > 0, "%s (%d failed)", Plural(m.ToolCalls, "tool call", "tool calls"), m.ToolFailures)
	tell(m.Checked > 0, "work passed its first check in %d of %s (target above 80 %%)", m.FirstPass, Plural(m.Checked, "dispatch", "dispatches"))
	tell(m.Compactions > 0, "%s", Plural(m.Compactions, "compaction", "compactions"))
	if use := shown.ContextUse; use != nil {
		tell(m.Fill > 0, "fullest context %.0f %% of %d tokens (%s; target below 70 %%)", 100**use, m.Window, contextStatus(use))
	}
	return strings.Join(parts, ", ")
}
