package cmd_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestPromptIsMadeAnewForTheWindowThatTheServerNames: nobody knew it, the first prompt is too large, and no attempt is spent.
func TestPromptIsMadeAnewForTheWindowThatTheServerNames(t *testing.T) {
	refused := 0
	j := shortWay(t, func(a asked) http.HandlerFunc {
		if len(a.body) < 8_000*4 {
			return nil
		}
		refused++
		return refusal(http.StatusBadRequest, "This model's maximum context length is 8000 tokens. However, your messages resulted in 17000 tokens.")
	})
	j.write("AGENTS.md", strings.Repeat("Keep one phrase a line.\n", 2_500))
	j.git("commit", "-q", "-a", "-m", "Say it often")
	j.runs(0, "docs/one.md")
	if s := j.state("one"); refused != 1 || s.History[0].RetriesUsed != 1 { // one retry is that of every run of it
		t.Errorf("%d refused, %d retries", refused, s.History[0].RetriesUsed)
	}
	if !strings.Contains(j.last, "made for 128000 tokens, and the model takes 8000") {
		t.Errorf("it does not say why:\n%s", j.last)
	}
}
