package view

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
)

// dot stands between the parts of a line.
const dot = " · "

// Joined puts the parts of a line together, those that are empty left out.
func Joined(parts ...string) string { return words.Joined(dot, parts...) }

// phaseName is a phase by its index, as people read it: phase 2 (Rule engine).
func phaseName(s machine.State, i int) string {
	if i < 0 || i >= len(s.Phases) {
		return "a phase that the spec no longer has"
	}
	p := s.Phases[i]
	if p.Name == "" {
		return "phase " + p.Number
	}
	return fmt.Sprintf("phase %s (%s)", p.Number, p.Name)
}

// here is what the session is about: phase 2 (Rule engine), or the final review.
func here(s machine.State) string {
	switch s.CurrentState {
	case machine.FinalReview:
		return "the final review"
	case machine.Done:
		return "the end"
	case machine.Init:
		return "the preparations"
	}
	return phaseName(s, s.CurrentPhase)
}

// place is where it stands: phase 2 of 3, task 1 of 5.
func place(s machine.State) string {
	where := fmt.Sprintf("phase %d of %d", s.CurrentPhase+1, len(s.Phases))
	if s.CurrentState == machine.FinalReview || s.CurrentState == machine.Done || len(s.Phases) == 0 {
		where = here(s)
	}
	if n := numberOf(s.Tasks, s.CurrentTask); n > 0 && inTasks(s) {
		where += fmt.Sprintf(", task %d of %d", n, len(s.Tasks))
	}
	return where
}

// inTasks says whether tasks are worked on.
func inTasks(s machine.State) bool {
	return s.CurrentState == machine.Execute || s.CurrentState == machine.FinalReview && s.Step != machine.StepReview && s.Step != machine.StepReviewReply
}

// numberOf is the 1-based place of a task in its phase; 0: it is not there.
func numberOf(tasks []machine.Task, id string) int {
	for i, t := range tasks {
		if t.ID == id {
			return i + 1
		}
	}
	return 0
}

// taskName is a task of the current phase as people read it: task 3 (Match a request).
func taskName(s machine.State, id string) string {
	t, ok := s.Task(id)
	if !ok {
		return "a task"
	}
	return fmt.Sprintf("task %d (%s)", numberOf(s.Tasks, id), t.Title)
}

// Ago says how long something is past: 9 min, 2 h, 3 days.
func Ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", max(0, int(d.Seconds())))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// Dollars writes an amount as people read it: $3.41; "" of none, which nobody knows.
func Dollars(usd float64) string {
	if usd <= 0 {
		return ""
	}
	whole, cents, _ := strings.Cut(fmt.Sprintf("%.2f", usd), ".")
	n, _ := strconv.Atoi(whole)
	return "$" + Grouped(n) + "." + cents
}

// Grouped writes a number with separators: 1,234.
func Grouped(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// firstLines are the first lines of a text that say something, at most n.
func firstLines(text string, n int) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, " \t\r\n"); strings.TrimSpace(line) != "" && len(lines) < n {
			lines = append(lines, line)
		}
	}
	return lines
}

// Capital begins a text with a capital letter.
func Capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// Spent is where time and money went, in a line: what nobody told is unknown, and not nothing.
func (v Session) Spent() string {
	clock := "Work " + words.Seconds(v.Clock.Work)
	if v.Clock.You >= 1 {
		clock += ", waited for you " + words.Seconds(v.Clock.You)
	}
	if v.Clock.Limits >= 1 {
		clock += ", waited for limits " + words.Seconds(v.Clock.Limits)
	}
	cost := "cost unknown"
	if v.CostKnown {
		cost = Dollars(v.Usage.CostUSD)
		for _, b := range v.Budgets {
			if b.Name == "cost" {
				cost += fmt.Sprintf(" of $%g", b.Of)
			}
		}
	}
	tokens := "tokens unknown"
	if n := v.Usage.InputTokens + v.Usage.OutputTokens; n > 0 {
		tokens = Grouped(n) + " tokens"
		if v.Usage.CachedTokens > 0 {
			tokens += fmt.Sprintf(" (%s cached)", Grouped(v.Usage.CachedTokens))
		}
	}
	return Joined(clock, cost, machine.Plural(v.Usage.Dispatches, "agent run", "agent runs")+", "+tokens)
}
