package legacy

import (
	"encoding/json"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/sessions/format"
)

// olderKeys are the keys that the schemas 1 to 5 had; what a file of theirs has under another key of State means
// something else.
var olderKeys = map[string]bool{
	"schemaVersion": true, "sessionDir": true, "sessionSlug": true, "specPath": true, "startingCommit": true, "rigorLevel": true,
	"reviewPlans": true, "currentState": true, "currentPhase": true, "phases": true, "retryBudget": true, "decisions": true,
	"history": true, "finalReview": true,
}

// placeKeys are the keys that say where inside a state a session stood. Without a journal nobody knows what came of it.
var placeKeys = []string{
	"step", "tasks", "currentTask", "checkpoints", "inFlight", "gate", "suspended", "reread", "limitedUntil", "sessionId", "updatedAt",
}

// toVersion6 adds the rest: what journal, gates, tasks and usage need, and one shape for what older files write in many.
func (o *older) toVersion6() {
	o.setForeignAside()
	o.doc["schemaVersion"] = machine.SchemaVersion
	o.doc["isImported"] = true
	if o.slug != "" {
		o.insist("sessionSlug", o.slug)
	}
	if o.spec.Spec.SHA256 != "" {
		o.doc["spec"] = plain6(o.spec.Spec)
	}
	o.toRetryBudget()
	o.toPhases()
	o.toState()
	o.toCurrentPhase()
	o.toDecisions()
	o.toHistory()
	o.toFinalReview()
	for _, key := range []string{"tasks", "inFlight"} {
		o.doc[key] = []any{}
	}
}

// setForeignAside takes away what must not be taken for the present program's own record.
func (o *older) setForeignAside() {
	keys := placeKeys
	if !o.ours {
		keys = nil
		for _, f := range format.FieldsOf(format.StateType) {
			if !olderKeys[f.Name] {
				keys = append(keys, f.Name)
			}
		}
	}
	if _, ok := o.doc["stateCrc"].(string); ok {
		delete(o.doc, "stateCrc") // it is of the bytes as they were
	}
	if _, ok := o.doc["revision"].(json.Number); ok {
		delete(o.doc, "revision") // it counts the entries of another journal
	}
	if _, ok := Version(o.doc["schemaVersion"]); !ok && o.doc["schemaVersion"] != nil {
		o.aside(o.doc, "schemaVersion", "")
	}
	for _, key := range slices.Sorted(slices.Values(keys)) {
		v, there := o.doc[key]
		raw, err := format.Compact(v)
		switch {
		case there && err == nil && format.IsEmpty(raw):
			delete(o.doc, key)
		case there:
			o.aside(o.doc, key, "")
		}
	}
}

// maxRetries is the number above which a retry budget is a slip of somebody's, and no budget.
const maxRetries = 1000

// toRetryBudget takes a plain number as the retries. The task it may show is none of this session's.
func (o *older) toRetryBudget() {
	if n, ok := wholeNumber(o.doc["retryBudget"]); ok {
		o.doc["retryBudget"] = map[string]any{"maxAttempts": n}
		o.say("retryBudget was a number, and is now its maxAttempts")
	}
	budget, ok := o.doc["retryBudget"].(map[string]any)
	if !ok {
		if o.doc["retryBudget"] != nil {
			o.aside(o.doc, "retryBudget", "")
		}
		budget = map[string]any{}
		o.doc["retryBudget"] = budget
	}
	n, ok := wholeNumber(budget["maxAttempts"])
	if ok && n >= 0 && n <= maxRetries {
		budget["maxAttempts"] = n
	} else {
		if budget["maxAttempts"] != nil {
			o.aside(budget, "maxAttempts", "retryBudget.")
		}
		budget["maxAttempts"] = 3
		o.say("retryBudget was missing: 3 retries")
	}
	if budget["currentTask"] != nil {
		o.aside(budget, "currentTask", "retryBudget.")
	}
	budget["currentTask"] = nil
}

// stateWords are other names that states had.
var stateWords = map[string]machine.Name{
	"COMPLETE": machine.Done, "COMPLETED": machine.Done, "INTEGRATE": machine.Review, "OUTCOME_EVAL": machine.FinalReview,
}

// toState finds the state that the file names. Where it names none that is known, the phase is looked at anew.
func (o *older) toState() {
	was := o.doc["currentState"]
	word := strings.ToUpper(strings.NewReplacer("-", "_", " ", "_").Replace(strings.TrimSpace(text(was))))
	name, known := stateWords[word]
	if _, own := machine.Edges[machine.Name(word)]; own {
		name, known = machine.Name(word), true
	}
	switch {
	case known && string(name) != was:
		o.say("state %s was read as %s", was, name)
	case !known:
		name = machine.Assess
		if was != nil {
			o.aside(o.doc, "currentState", "")
		}
		o.say("the state it was in is not known: the phase is looked at anew (ASSESS)")
	}
	o.doc["currentState"] = string(name)
}

// toCurrentPhase finds the phase that the session stands at: by index, else by name, else the first that is open.
func (o *older) toCurrentPhase() {
	phases, was := o.phases(), o.doc["currentPhase"]
	at, ok := wholeNumber(was)
	for i, p := range phases {
		if name := text(was); name != "" && !ok && sameName(text(p["name"]), name) {
			at, ok = int64(i), true
		}
	}
	if ok && at >= 0 && at < int64(len(phases)) {
		o.doc["currentPhase"] = at
		return
	}
	if was != nil {
		o.aside(o.doc, "currentPhase", "")
	}
	at = max(int64(len(phases))-1, 0)
	for i := len(phases) - 1; i >= 0; i-- {
		if status := phases[i]["status"]; status != machine.PhaseDone && status != machine.PhaseSkip {
			at = int64(i)
		}
	}
	o.doc["currentPhase"] = at
	o.say("currentPhase does not name a phase: phase %d of %d is taken", at+1, len(phases))
}

// plain6 is a value as it stands in a decoded document.
func plain6(v any) any {
	raw, err := format.Compact(v)
	if err != nil {
		return nil
	}
	out, _ := format.PlainJSON(raw)
	return out
}

func sameName(a, b string) bool {
	return strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "))
}
