package legacy

import (
	"path"
	"path/filepath"
	"reflect"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/sessions/format"
)

var (
	phaseType    = reflect.TypeFor[machine.Phase]()
	decisionType = reflect.TypeFor[machine.Decision]()
	historyType  = reflect.TypeFor[machine.HistoryEntry]()
	findingType  = reflect.TypeFor[machine.Finding]()
	countType    = reflect.TypeFor[machine.FindingCount]()
	signalsType  = reflect.TypeFor[machine.Signals]()
)

// toDecisions reads decisions however they were written: as texts, as {state, what, why}, as {action}, as {at, …,
// rationale}. Their own keys stay.
func (o *older) toDecisions() {
	for _, d := range o.objects(o.doc, "decisions", "", "decision") {
		o.foldKeys(d, format.FieldsOf(decisionType), "decisions: ")
		other := text(d["decision"]) == "" || text(d["reason"]) == "" && text(d["why"])+text(d["rationale"]) != ""
		rename(d, "decision", "what", "action", "title", "summary", "choice")
		rename(d, "reason", "why", "rationale", "because")
		rename(d, "timestamp", "time", "date", "when")
		rename(d, "by", "decidedBy", "approvedBy")
		if at := text(d["at"]); at != "" {
			if _, isTime := fitTime(at); isTime {
				rename(d, "timestamp", "at")
			} else {
				rename(d, "state", "at")
			}
		}
		if other {
			o.say("a decision in other words was read as decision and reason")
		}
		if signals, ok := d["signals"].(map[string]any); ok {
			o.toSignals(signals)
		}
		o.toPhaseIndex(d, "decisions: ")
	}
}

// toSignals reads the signals of an approval; files have a complexity where this program has a truth.
func (o *older) toSignals(signals map[string]any) {
	o.foldKeys(signals, format.FieldsOf(signalsType), "signals: ")
	for key, synonym := range map[string]string{"concerns": "plannerConcerns", "tasks": "taskCount"} {
		if v, there := signals[synonym]; there && signals[key] == nil {
			signals[key] = v
		}
	}
	if word, ok := signals["highComplexity"].(string); ok && word != "true" && word != "false" {
		o.aside(signals, "highComplexity", "signals: ")
		signals["highComplexity"] = strings.EqualFold(word, string(machine.High))
	}
}

// toHistory gives each entry its phase, outcome and findings in the present words.
func (o *older) toHistory() {
	for i, h := range o.objects(o.doc, "history", "", "name") {
		o.foldKeys(h, format.FieldsOf(historyType), "history: ")
		rename(h, "name", "title", "phaseName")
		o.toHistoryPhase(h, i)
		o.toFindingCount(h)
		if text(h["outcome"]) == "" {
			if h["outcome"] != nil {
				o.aside(h, "outcome", "history: ")
			}
			h["outcome"] = o.outcomeOf(h)
		}
	}
}

// outcomeOf is what the rest of an entry says of its outcome.
func (o *older) outcomeOf(h map[string]any) string {
	at, _ := wholeNumber(numberText(h["phase"]))
	if phases := o.phases(); at < int64(len(phases)) && phases[at]["status"] == machine.PhaseSkip {
		return "skipped"
	}
	if passed := h["verificationPassed"]; passed == false || passed == "false" {
		return "failed"
	}
	return "complete"
}

// toHistoryPhase finds the phase that an entry is about: by its name, where just one phase has it, else by its index.
func (o *older) toHistoryPhase(h map[string]any, place int) {
	if h["phase"] == nil {
		for _, synonym := range []string{"index", "n"} {
			if n, ok := wholeNumber(h[synonym]); ok && h["phase"] == nil {
				h["phase"] = jsonNumber(n)
			}
		}
	}
	if h["phase"] == nil && len(o.phases()) > 0 {
		h["phase"] = jsonNumber(int64(min(place, len(o.phases())-1)))
		o.say("history: an entry named no phase, and has that of its place or its name")
	}
	named, found := int64(-1), 0
	for i, p := range o.phases() {
		if name := text(h["name"]); name != "" && sameName(name, text(p["name"])) {
			named, found = int64(i), found+1
		}
	}
	if at, ok := wholeNumber(h["phase"]); found == 1 && (!ok || at != named) {
		o.aside(h, "phase", "history: ")
		h["phase"] = jsonNumber(named)
	}
	o.toPhaseIndex(h, "history: ")
}

// toPhaseIndex makes sure that an index of a phase is one.
func (o *older) toPhaseIndex(m map[string]any, where string) {
	n, ok := wholeNumber(m["phase"])
	if last := int64(len(o.phases())) - 1; m["phase"] != nil && (!ok || n < 0 || n > last) {
		o.aside(m, "phase", where)
		m["phase"] = jsonNumber(max(min(n, last), 0))
	}
}

// toFindingCount counts the words that severities had as those that they have. Where all three of today's are there,
// they were counted already.
func (o *older) toFindingCount(h map[string]any) {
	counts, ok := h["reviewFindings"].(map[string]any)
	if !ok {
		if list, isList := h["reviewFindings"].([]any); isList {
			o.countList(h, list)
		}
		return
	}
	o.foldKeys(counts, format.FieldsOf(countType), "reviewFindings: ")
	if counts["critical"] != nil && counts["important"] != nil && counts["suggestion"] != nil {
		return
	}
	for _, pair := range [][2]string{{"critical", "blocking"}, {"important", "warning"}, {"suggestion", "note"}} {
		own, ok := wholeNumber(counts[pair[0]])
		if counts[pair[0]] != nil && !ok {
			o.aside(counts, pair[0], "reviewFindings: ")
		}
		more, also := wholeNumber(counts[pair[1]])
		if also {
			o.say("review findings called %s count as %s too", pair[1], pair[0])
		}
		counts[pair[0]] = jsonNumber(own + more)
	}
}

// countList counts findings where their number belongs, and keeps them.
func (o *older) countList(h map[string]any, list []any) {
	o.aside(h, "reviewFindings", "history: ")
	counts := map[string]int64{}
	for _, item := range list {
		f, _ := item.(map[string]any)
		severity := severityOf(text(f["severity"]))
		if severity != machine.Critical && severity != machine.Important {
			severity = machine.Suggestion
		}
		counts[severity]++
	}
	h["reviewFindings"] = map[string]any{
		"critical": jsonNumber(counts[machine.Critical]), "important": jsonNumber(counts[machine.Important]), "suggestion": jsonNumber(counts[machine.Suggestion]),
	}
}

// reviewWords are the words for the status of a final review.
var reviewWords = map[string]string{
	"passed": "passed", "pass": "passed", "complete": "passed", "completed": "passed", "done": "passed", "approved": "passed",
	"pending": "pending", "not_started": "pending", "not-started": "pending", "overridden": "overridden",
}

// toFinalReview reads the final review; its findings are the reviewer's, so that a new review replaces them.
func (o *older) toFinalReview() {
	if word, ok := o.doc["finalReview"].(string); ok {
		o.doc["finalReview"] = map[string]any{"status": word}
		o.say("finalReview was a plain value, and is now its status")
	}
	review, ok := o.doc["finalReview"].(map[string]any)
	if !ok {
		o.aside(o.doc, "finalReview", "")
		review = map[string]any{}
		o.doc["finalReview"] = review
	}
	o.foldKeys(review, format.FieldsOf(reflect.TypeFor[machine.FinalReviewed]()), "finalReview: ")
	was := review["status"]
	status, known := reviewWords[strings.ToLower(strings.TrimSpace(text(was)))]
	if !known {
		status = "pending"
		if was != nil {
			o.aside(review, "status", "finalReview: ")
		}
	} else if status != was {
		o.say("final review %s was read as %s", was, status)
	}
	review["status"] = status
	o.toFindings(review, "findings", "finalReview: ")
	for _, f := range o.objects(review, "findings", "finalReview: ", "title") {
		if f["source"] == nil && !o.ours {
			f["source"] = "reviewer"
		}
	}
	o.objects(review, "criteria", "finalReview: ", "text")
	if list, _ := review["criteria"].([]any); len(list) == 0 {
		delete(review, "criteria")
	}
}

// toFindings reads a list of findings in the present words.
func (o *older) toFindings(m map[string]any, key, where string) {
	if m[key] == nil {
		return
	}
	for _, f := range o.objects(m, key, where, "title") {
		o.foldKeys(f, format.FieldsOf(findingType), where)
		rename(f, "title", "message", "description", "summary")
		if was := text(f["severity"]); was != "" && severityOf(was) != was {
			f["severity"] = severityOf(was)
			o.say("severity %s was read as %s", was, f["severity"])
		}
	}
}

// severityOf is a severity in the present words.
func severityOf(word string) string {
	switch low := strings.ToLower(strings.TrimSpace(word)); low {
	case "blocking", "blocker":
		return machine.Critical
	case "warning":
		return machine.Important
	case "note":
		return machine.Suggestion
	case machine.Critical, machine.Important, machine.Suggestion:
		return low
	}
	return word
}

// localPath says whether a path stays inside the repository.
func localPath(p string) bool {
	return filepath.IsLocal(filepath.FromSlash(path.Clean(p))) && !strings.ContainsRune(p, 0)
}
