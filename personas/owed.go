package personas

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// owed maps the fields that a persona can owe to whether a reply has them.
var owed = map[string]func(Reply) bool{
	"summary":   func(r Reply) bool { return r.Summary != "" },
	"planPath":  func(r Reply) bool { return strings.TrimSpace(r.PlanPath) != "" },
	"evidence":  func(r Reply) bool { return len(r.Evidence) > 0 },
	"criteria":  func(r Reply) bool { return len(r.Criteria) > 0 },
	"findings":  func(r Reply) bool { return len(r.Findings) > 0 },
	"concerns":  func(r Reply) bool { return len(r.Concerns) > 0 },
	"learnings": func(r Reply) bool { return len(r.Learnings) > 0 },
}

func owedNames() []string { return slices.Sorted(maps.Keys(owed)) }

// CheckOwed says what a reply with status done leaves out of what the persona
// owes. Someone who is blocked or failed owes nothing but the reason.
func (p Persona) CheckOwed(r Reply) error {
	if r.Status != StatusDone {
		return nil
	}
	var problems []string
	for _, field := range p.Owes {
		if has, ok := owed[field]; ok && !has(r) {
			problems = append(problems, fmt.Sprintf("%s is missing, and the %s owes it", field, p.Name))
		}
	}
	if len(problems) > 0 {
		return &ReplyError{problems}
	}
	return nil
}
