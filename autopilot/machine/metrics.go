package machine

import (
	"fmt"
	"slices"
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

	// What follows no older program recorded.
	Tasks       int     `json:"tasks,omitempty"`       // summed: those that dispatches were for
	TaskTurns   int     `json:"taskTurns,omitempty"`   // summed: turns of these dispatches
	TaskSeconds float64 `json:"taskSeconds,omitempty"` // summed: and how long they took
	Advised     int     `json:"advised,omitempty"`     // how often the loop detector told the model that it goes in circles
	Repeats     int     `json:"repeats,omitempty"`     // how often a dispatch made one call with one result, at most; 0: not recorded
	Edits       int     `json:"edits,omitempty"`       // how often it edited one file before a check passed, at most
	Tools       []Tool  `json:"tools,omitempty"`       // by name
}

// Tool is how often a tool was called, and how many of these calls were answered with an error.
type Tool struct {
	Name     string `json:"name"`
	Calls    int    `json:"calls"`
	Failures int    `json:"failures"`
}

// Plus adds two metrics.
func (a Metrics) Plus(b Metrics) Metrics {
	sum := Metrics{
		Ended: a.Ended + b.Ended, Turns: a.Turns + b.Turns, Seconds: a.Seconds + b.Seconds,
		ToolCalls: a.ToolCalls + b.ToolCalls, ToolFailures: a.ToolFailures + b.ToolFailures, Compactions: a.Compactions + b.Compactions,
		Checked: a.Checked + b.Checked, FirstPass: a.FirstPass + b.FirstPass, Refusals: a.Refusals + b.Refusals,
		Fill: a.Fill, Window: a.Window, ToldTools: a.ToldTools + b.ToldTools, ToldAll: a.ToldAll + b.ToldAll,
		Tasks: a.Tasks + b.Tasks, TaskTurns: a.TaskTurns + b.TaskTurns, TaskSeconds: a.TaskSeconds + b.TaskSeconds,
		Advised: a.Advised + b.Advised, Repeats: max(a.Repeats, b.Repeats), Edits: max(a.Edits, b.Edits), Tools: toolsOf(a.Tools, b.Tools),
	}
	if nearer := ratio(b.Fill, b.Window); nearer != nil && (ratio(a.Fill, a.Window) == nil || *nearer > *ratio(a.Fill, a.Window)) {
		sum.Fill, sum.Window = b.Fill, b.Window
	}
	return sum
}

// ForTask are the metrics of a dispatch as those of its task count in a sum; first is the task's first.
func (m Metrics) ForTask(first bool) Metrics {
	if m.TaskSeconds = m.Seconds; m.ToldAll > 0 { // a program tells of no turns
		m.TaskTurns = m.Turns
	}
	if first {
		m.Tasks = 1
	}
	return m
}

// toolsOf adds tools up, by name.
func toolsOf(lists ...[]Tool) (sum []Tool) {
	for _, tool := range slices.Concat(lists...) {
		at, known := slices.BinarySearchFunc(sum, tool.Name, func(t Tool, name string) int { return strings.Compare(t.Name, name) })
		if !known {
			sum = slices.Insert(sum, at, Tool{Name: tool.Name})
		}
		sum[at].Calls, sum[at].Failures = sum[at].Calls+tool.Calls, sum[at].Failures+tool.Failures
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
	Advised      *int `json:"advised,omitempty"`
	Edits        *int `json:"edits,omitempty"`
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
		Advised: shown(m.Repeats, m.Advised), Edits: shown(m.Repeats, m.Edits),
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
	TurnsPerTask    *float64 `json:"turnsPerTask"`
	SecondsPerTask  *float64 `json:"secondsPerTask"`          // of its dispatches
	ContextStatus   string   `json:"contextStatus,omitempty"` // healthy below 40 %, warning below 70 %, danger
}

// Targets are what the rates of a session that goes well are below or above.
type Targets struct {
	ContextUse      float64 `json:"contextUse"`   // below
	TurnsPerTask    float64 `json:"turnsPerTask"` // below
	FirstPassRate   float64 `json:"firstPassRate"`
	ToolSuccessRate float64 `json:"toolSuccessRate"`
}

// Target has the targets.
var Target = Targets{ContextUse: 0.7, TurnsPerTask: 10, FirstPassRate: 0.8, ToolSuccessRate: 0.95}

// contextStatus says how near the fullest context came to its window; "" where nothing tells.
func contextStatus(use *float64) string {
	switch {
	case use == nil:
		return ""
	case *use < 0.4:
		return "healthy"
	case *use < Target.ContextUse:
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

// each is a part of a sum; nil where nothing tells.
func each(sum float64, n int) *float64 {
	if n <= 0 || sum <= 0 {
		return nil
	}
	e := sum / float64(n)
	return &e
}

// String is what is known, in a line for people: "57 turns (3.2 s each), 4.2 a task (target below 10), 80 tool calls (4 failed,
// 95 % worked; target above 95 %), work passed its first check in 5 of 6 agent runs, 1 compaction, fullest context 62 % of 200000 tokens".
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
	if shown.TurnsPerTask != nil {
		turns += fmt.Sprintf(", %.1f a task (target below %.0f)", *shown.TurnsPerTask, Target.TurnsPerTask)
	}
	tell(m.Turns > 0, "%s", turns)
	if took := shown.SecondsPerTask; took != nil {
		tell(*took >= 0.5, "%.0f s a task", *took)
	}
	if works := shown.ToolSuccessRate; works != nil {
		tell(true, "%s (%d failed, %.0f %% worked; target above %.0f %%)", Plural(m.ToolCalls, "tool call", "tool calls"), m.ToolFailures, 100**works, 100*Target.ToolSuccessRate)
	}
	tell(m.Checked > 0, "work passed its first check in %d of %s (target above %.0f %%)", m.FirstPass, Plural(m.Checked, "agent run", "agent runs"), 100*Target.FirstPassRate)
	tell(m.Compactions > 0, "%s", Plural(m.Compactions, "compaction", "compactions"))
	if use := shown.ContextUse; use != nil {
		tell(m.Fill > 0, "fullest context %.0f %% of %d tokens (%s; target below %.0f %%)", 100**use, m.Window, contextStatus(use), 100*Target.ContextUse)
	}
	tell(m.Advised > 0, "work went in circles %s (one call up to %s, one file edited up to %s)", times(m.Advised), times(m.Repeats), times(m.Edits))
	return strings.Join(parts, ", ")
}

func times(n int) string { return Plural(n, "time", "times") }
