package machine

import (
	"fmt"
	"math"
)

// Forecast is what the rest of a phase may take, from the least to the most.
type Forecast struct {
	Low    Usage `json:"low"`
	High   Usage `json:"high"`
	Phases int   `json:"phases"` // whose history it comes from
	Basis  Basis `json:"basis"`
}

// Basis is what the two ends of a Forecast come from.
type Basis string

// The bases.
const (
	ByPhases Basis = "phases" // the phases that took least and most
	ByTasks  Basis = "tasks"  // of a single phase, the tasks that took least and most
	ByOne    Basis = "one"    // half of the only thing there is to go by, and twice of it
)

// Forecast tells by each of the session's completed phases what the rest of the current one may take: its tasks as that
// one's took on the average, and verification and reviews as they took there. One phase alone tells a range by its tasks.
// It says false where no phase tells.
func (s State) Forecast() (Forecast, bool) {
	var told []HistoryEntry
	for _, h := range s.History {
		if h.Outcome == "complete" && h.TasksCompleted > 0 && h.Usage.Dispatches > 0 {
			told = append(told, h)
		}
	}
	if len(told) == 0 || len(s.Tasks) == 0 {
		return Forecast{}, false
	}
	if len(told) == 1 {
		return s.byOne(told[0]), true
	}
	f := Forecast{Low: s.asIn(told[0]), High: s.asIn(told[0]), Phases: len(told), Basis: ByPhases}
	for _, h := range told[1:] {
		scaled := s.asIn(h)
		f.Low, f.High = f.Low.each(scaled, math.Min), f.High.each(scaled, math.Max)
	}
	return f, true
}

// byOne is the forecast by a single phase. Where it had a single task, or an older program ran it, the range is a guess,
// and says so.
func (s State) byOne(h HistoryEntry) Forecast {
	p, known := s.phaseOf(h)
	if !known || p.MostTask.Dispatches == 0 {
		scaled := s.asIn(h)
		return Forecast{Low: scaled.times(0.5), High: scaled.times(2), Phases: 1, Basis: ByOne}
	}
	n, rest := float64(len(s.Tasks)), p.besideTasks(h)
	return Forecast{Low: p.LeastTask.times(n).Plus(rest), High: p.MostTask.times(n).Plus(rest), Phases: 1, Basis: ByTasks}
}

// asIn is what the rest of the current phase takes where it takes what a completed one took. Of one that an older program
// ran nobody knows what its tasks took of it: all of it is scaled.
func (s State) asIn(h HistoryEntry) Usage {
	by := float64(len(s.Tasks)) / float64(h.TasksCompleted)
	p, known := s.phaseOf(h)
	if !known || p.SpentTasks.Dispatches == 0 {
		return h.Usage.times(by)
	}
	return p.SpentTasks.times(by).Plus(p.besideTasks(h))
}

func (s State) phaseOf(h HistoryEntry) (Phase, bool) {
	if h.Phase < 0 || h.Phase >= len(s.Phases) {
		return Phase{}, false
	}
	return s.Phases[h.Phase], true
}

// besideTasks is what a completed phase took for verification and reviews.
func (p Phase) besideTasks(h HistoryEntry) Usage {
	return h.Usage.Minus(p.SpentPlanning).Minus(p.SpentTasks).each(Usage{}, math.Max)
}

// Spread is what the tasks that were dispatched used, number by number, at the least and at the most; nothing where fewer
// than two were.
func Spread(tasks []Task) (least, most Usage) {
	n := 0
	for _, t := range tasks {
		if t.Spent.Dispatches == 0 {
			continue
		}
		if n++; n == 1 {
			least, most = t.Spent.Usage, t.Spent.Usage
		}
		least, most = least.each(t.Spent.Usage, math.Min), most.each(t.Spent.Usage, math.Max)
	}
	if n < 2 {
		return Usage{}, Usage{}
	}
	return least, most
}

func (u Usage) times(by float64) Usage {
	return u.each(u, func(n, _ float64) float64 { return n * by })
}

// each combines two usages number by number.
func (u Usage) each(v Usage, how func(a, b float64) float64) Usage {
	whole := func(a, b int) int { return int(math.Round(how(float64(a), float64(b)))) }
	return Usage{
		Dispatches: whole(u.Dispatches, v.Dispatches), InputTokens: whole(u.InputTokens, v.InputTokens), CachedTokens: whole(u.CachedTokens, v.CachedTokens),
		OutputTokens: whole(u.OutputTokens, v.OutputTokens), CostUSD: how(u.CostUSD, v.CostUSD),
	}
}

// String is the forecast for people: "6 to 9 agent runs, 120000 to 340000 tokens, $0.40 to $1.10 (by what 2 phases took)".
// What nobody told, as programs need not, is left out.
func (f Forecast) String() string {
	text := between(float64(f.Low.Dispatches), float64(f.High.Dispatches), "%.0f") + " agent runs"
	if f.High.InputTokens+f.High.OutputTokens > 0 {
		text += ", " + between(float64(f.Low.InputTokens+f.Low.OutputTokens), float64(f.High.InputTokens+f.High.OutputTokens), "%.0f") + " tokens"
	}
	if f.High.CostUSD > 0 {
		text += ", " + between(f.Low.CostUSD, f.High.CostUSD, "$%.2f")
	}
	switch f.Basis {
	case ByTasks:
		return text + " (by the cheapest and the most expensive task so far)"
	case ByOne:
		return text + " (half to twice what 1 phase took)"
	}
	return fmt.Sprintf("%s (by what %s took)", text, Plural(f.Phases, "phase", "phases"))
}

func between(low, high float64, format string) string {
	from, to := fmt.Sprintf(format, low), fmt.Sprintf(format, high)
	if from == to {
		return "about " + from
	}
	return from + " to " + to
}
