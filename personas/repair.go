package personas

import (
	"fmt"
	"strings"
)

// renderRepair asks for the reply alone, so that nothing is done twice, or where the work does not pass for that as well.
func renderRepair(p Persona, b Brief) string {
	w := &page{}
	if b.Failure == "" {
		w.line(fmt.Sprintf("# Your reply could not be taken\n\nYou are the %s, and your work on this dispatch is finished: do not do it again, and change no file of the\n"+
			"working tree. Only the reply that you handed in is not valid. Hand it in once more, mended and whole.", p.Name))
	} else {
		w.line(fmt.Sprintf("# Your reply was not taken\n\nYou are the %s. Your work on this dispatch is there, and the program checked it: it does not pass. Mend what is\n"+
			"named here and nothing else, then hand in the whole reply once more. Where you cannot, say so with status failed or blocked.", p.Name))
		w.head("What does not pass")
		w.data(b.Failure)
	}
	if len(b.Problems) > 0 {
		w.head("What is wrong with the reply")
	}
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
  "assumptions": ["What the spec leaves open and a plan takes for granted."],
  "findings": [{"severity": "important", "file": "a/b.go", "line": 12, "title": "What is wrong", "rationale": "When it happens, and what follows."}],
  "evidence": [{"command": "go test ./...", "exitCode": 0, "note": "what it showed"}],
  "criteria": [{"text": "The criterion in the spec's words", "satisfied": true, "confidence": "high", "evidence": "a/b.go:12"}],
  "learnings": [{"outcome": "gotcha", "text": "What later work should know."}]
}`
