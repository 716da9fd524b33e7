package personas

import (
	"fmt"
	"strings"
)

// renderRepair asks for the reply alone, so that nothing is done twice.
func renderRepair(p Persona, b Brief) string {
	w := &page{}
	w.line(fmt.Sprintf("# Your reply could not be taken\n\nYou are the %s, and your work on this dispatch is finished: do not do it again, and change no file of the\n"+
		"working tree. Only the reply that you handed in is not valid. Hand it in once more, mended and whole.", p.Name))
	w.head("What is wrong with it")
	for _, problem := range b.Problems {
		w.line("- " + inline(problem))
	}
	if b.Previous != "" {
		w.head("The reply as it came")
		w.data(b.Previous)
	}
	w.head("What a reply looks like")
	w.fenced("json", replyExample)
	w.line("\n`status` is done, blocked (with `blocker`) or failed. `severity` is critical, important or suggestion.\n" +
		"`confidence` is high, medium or low. Lists may be empty or left out.")
	if len(p.Owes) > 0 {
		w.line("The " + string(p.Name) + " owes: " + strings.Join(p.Owes, ", ") + ".")
	}
	handIn(w, p, b)
	return w.String()
}

const replyExample = `{
  "v": 1,
  "status": "done",
  "summary": "What is different now, or what was found, in two or three sentences.",
  "planPath": "docs/plans/2026-03-04-rule-engine-plan.md",
  "concerns": ["What a human should know."],
  "findings": [{"severity": "important", "file": "a/b.go", "line": 12, "title": "What is wrong", "rationale": "When it happens, and what follows."}],
  "evidence": [{"command": "go test ./...", "exitCode": 0, "note": "what it showed"}],
  "criteria": [{"text": "The criterion in the spec's words", "satisfied": true, "confidence": "high", "evidence": "a/b.go:12"}],
  "learnings": [{"outcome": "gotcha", "text": "What later work should know."}]
}`
