package personas

import (
	"slices"
	"strings"
)

// synonyms of words that models use for ours, in lower case.
var (
	statusWords = map[string]Status{
		"complete": StatusDone, "completed": StatusDone, "success": StatusDone, "succeeded": StatusDone,
		"ok": StatusDone, "finished": StatusDone, "pass": StatusDone, "passed": StatusDone,
		"failure": StatusFailed, "fail": StatusFailed, "error": StatusFailed,
		"needs_human": StatusBlocked, "needs-human": StatusBlocked, "needs_input": StatusBlocked, "stuck": StatusBlocked,
	}
	severityWords = map[string]Severity{
		"blocking": Critical, "blocker": Critical, "fatal": Critical, "high": Critical,
		"warning": Important, "warn": Important, "major": Important, "medium": Important,
		"note": Suggestion, "info": Suggestion, "minor": Suggestion, "nit": Suggestion, "low": Suggestion,
	}
	verdictWords = map[string]Verdict{
		"still there": Still, "still_there": Still, "open": Still, "not fixed": Still, "not_fixed": Still, "unfixed": Still,
		"code wrong": CodeWrong, "code_wrong": CodeWrong, "check wrong": CheckWrong, "check_wrong": CheckWrong, "spec undecided": SpecOpen, "undecided": SpecOpen,
		"mended": Fixed, "resolved": Fixed, "done": Fixed, "invalid": Wrong, "false": Wrong, "false positive": Wrong, "not a bug": Wrong,
	}
	confidenceWords = map[string]Confidence{"certain": High, "sure": High, "moderate": Medium, "unsure": Low}
)

func word[T ~string](w T, synonyms map[string]T) T {
	lower := strings.ToLower(strings.TrimSpace(string(w)))
	if s, ok := synonyms[lower]; ok {
		return s
	}
	return T(lower)
}

func (r *Reply) normalise() {
	if r.V == 0 {
		r.V = ReplyVersion
	}
	r.Status = word(r.Status, statusWords)
	r.Summary = strings.TrimSpace(r.Summary)
	for i := range r.Findings {
		r.Findings[i].Severity = word(r.Findings[i].Severity, severityWords)
	}
	for i := range r.Criteria {
		r.Criteria[i].Confidence = word(r.Criteria[i].Confidence, confidenceWords)
	}
	for i := range r.Judged {
		r.Judged[i].ID, r.Judged[i].Verdict = strings.ToUpper(strings.TrimSpace(r.Judged[i].ID)), word(r.Judged[i].Verdict, verdictWords)
	}
	blank := func(s string) bool { return strings.TrimSpace(s) == "" }
	r.Concerns, r.Assumptions = slices.DeleteFunc(r.Concerns, blank), slices.DeleteFunc(r.Assumptions, blank)
	r.Learnings = slices.DeleteFunc(r.Learnings, func(l Learning) bool { return blank(l.Text) })
}
