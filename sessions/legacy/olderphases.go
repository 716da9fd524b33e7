package legacy

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/machine"
	"autopilot/sessions/format"
)

// statusWords are the words for a phase's status, in lower case and without anything between letters.
var statusWords = map[string]string{
	"complete": machine.PhaseDone, "completed": machine.PhaseDone, "done": machine.PhaseDone, "phasecomplete": machine.PhaseDone,
	"inprogress": machine.PhaseInProgress, "running": machine.PhaseInProgress, "active": machine.PhaseInProgress, "started": machine.PhaseInProgress,
	"pending": machine.PhasePending, "todo": machine.PhasePending, "notstarted": machine.PhasePending, "": machine.PhasePending,
	"skipped": machine.PhaseSkip, "skip": machine.PhaseSkip,
}

// toPhases gives each phase its number, name, complexity and status; the spec fills in what the file does not say.
func (o *older) toPhases() {
	phases := o.objects(o.doc, "phases", "", "name")
	if len(phases) == 0 {
		phases = o.phasesOfSpec()
	}
	for _, p := range phases {
		o.foldKeys(p, format.FieldsOf(phaseType), "phases: ")
		rename(p, "name", "title")
		o.toStatus(p)
		o.toComplexity(p, "complexity")
		o.toComplexity(p, "complexityOverride")
		if plan, ok := p["planPath"].(string); ok && plan != "" && !localPath(plan) {
			o.aside(p, "planPath", "phases: ")
		}
		o.toFindings(p, "findings", "phases: ")
	}
	o.toNumbers(phases)
}

// phasesOfSpec takes the phases from the spec, for a session that has not come to write its own.
func (o *older) phasesOfSpec() []map[string]any {
	var all []map[string]any
	items := []any{}
	for _, text := range o.spec.Phases {
		p := map[string]any{"number": text.Number, "name": text.Name, "complexity": string(text.Complexity), "status": machine.PhasePending}
		all, items = append(all, p), append(items, p)
	}
	o.doc["phases"] = items
	o.say("phases was missing: they are taken from the spec")
	return all
}

func (o *older) toStatus(p map[string]any) {
	was := p["status"]
	word := strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.TrimSpace(text(was))))
	status, known := statusWords[word]
	if _, at := machine.Edges[machine.Name(strings.ToUpper(text(was)))]; !known && at {
		status, known = machine.PhaseInProgress, true
	}
	switch {
	case was == nil:
		status = machine.PhasePending
		o.say("the status of a phase was missing: pending")
	case !known || (word == "" && was != ""):
		o.aside(p, "status", "phases: ")
		status = machine.PhasePending
	case was != status:
		o.say("phase status %s was read as %s", was, status)
	}
	p["status"] = status
}

// toComplexity keeps low, medium and high.
func (o *older) toComplexity(p map[string]any, key string) {
	c := machine.Complexity(strings.ToLower(strings.TrimSpace(text(p[key]))))
	switch {
	case p[key] == nil, p[key] == "":
	case c == machine.Low, c == machine.Medium, c == machine.High:
		p[key] = string(c)
	default:
		o.aside(p, key, "phases: ")
	}
}

// toNumbers numbers the phases as the spec does, else as the file does, else by their place. No two have the same.
func (o *older) toNumbers(phases []map[string]any) {
	pairs, taken, missing := o.pairs(phases), map[string]bool{}, false
	for i, p := range phases {
		number := ownNumber(p, phases)
		missing = missing || p["number"] == nil
		complexity, name := string(machine.Medium), "Phase "+strconv.Itoa(i+1)
		if n := pairs[i]; n >= 0 {
			known := o.spec.Phases[n]
			number, name, complexity = known.Number, known.Name, string(known.Complexity)
			p["specSha256"] = known.SHA256
		}
		number = freeNumber(number, i, taken)
		if had := p["number"]; had != nil && had != number && numberText(had) != number {
			o.aside(p, "number", "phases: ")
		}
		p["number"] = number
		o.fillPhase(p, "name", name)
		o.fillPhase(p, "complexity", complexity)
	}
	if missing {
		o.say("phases had no numbers: they have those of the spec, else of their place")
	}
}

func (o *older) fillPhase(p map[string]any, key, value string) {
	if words, ok := p[key].(string); ok && words != "" {
		return
	} else if !ok && p[key] != nil {
		o.aside(p, key, "phases: ")
	}
	p[key] = value
	o.say("the %s of phase %s was missing: %s", key, p["number"], value)
}

// phaseLabel is what some files write before a phase's name.
var phaseLabel = lazyregexp.New(`(?i)^phase\s+\S+?\s*[:.—–-]\s+`)

// pairs finds each phase in the spec: by name, else by number, else by place where there are as many; -1 where it is
// not found.
func (o *older) pairs(phases []map[string]any) []int {
	pairs, used := slices.Repeat([]int{-1}, len(phases)), map[int]bool{}
	match := func(same func(i int, known machine.PhaseText, n int) bool) {
		for i := range phases {
			for n, known := range o.spec.Phases {
				if pairs[i] < 0 && !used[n] && same(i, known, n) {
					pairs[i], used[n] = n, true
				}
			}
		}
	}
	match(func(i int, known machine.PhaseText, _ int) bool {
		name := text(phases[i]["name"])
		return sameName(name, known.Name) || sameName(phaseLabel.ReplaceAllString(name, ""), known.Name)
	})
	match(func(i int, known machine.PhaseText, _ int) bool { return ownNumber(phases[i], phases) == known.Number })
	if len(phases) == len(o.spec.Phases) {
		match(func(i int, _ machine.PhaseText, n int) bool { return i == n })
		match(func(int, machine.PhaseText, int) bool { return true })
	}
	return pairs
}

// ownNumber is the number that a phase has in the file: number, n, or index, which counts from 0 where any does.
func ownNumber(p map[string]any, phases []map[string]any) string {
	for _, key := range []string{"number", "n"} {
		if number := numberText(p[key]); number != "" {
			return number
		}
	}
	index, ok := wholeNumber(p["index"])
	if !ok || index < 0 {
		return ""
	}
	zero := slices.ContainsFunc(phases, func(other map[string]any) bool { return numberText(other["index"]) == "0" })
	if zero {
		index++
	}
	return strconv.FormatInt(index, 10)
}

// freeNumber is the number, or one made of the place where it is empty or taken.
func freeNumber(number string, place int, taken map[string]bool) string {
	for n := place + 1; number == "" || taken[number]; n++ {
		number = strconv.Itoa(n)
	}
	taken[number] = true
	return number
}

// numberText is a text, or a number as it is written.
func numberText(v any) string {
	if n, ok := v.(json.Number); ok {
		return n.String()
	}
	return strings.TrimSpace(text(v))
}
