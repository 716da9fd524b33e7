package machine

import "testing"

func TestUsageAddsAndSubtracts(t *testing.T) {
	a := Usage{Dispatches: 3, InputTokens: 5, CachedTokens: 2, OutputTokens: 7, CostUSD: 1.5}
	b := Usage{Dispatches: 1, InputTokens: 1, CachedTokens: 1, OutputTokens: 1, CostUSD: 0.5}
	if got := a.Plus(b).Minus(b); got != a {
		t.Errorf("there and back gives %+v", got)
	}
}

func TestFindingsBlockByRigor(t *testing.T) {
	findings := []Finding{{Severity: Critical}, {Severity: Important}, {Severity: Suggestion}}
	for rigor, want := range map[Rigor]int{Fast: 1, Standard: 1, Thorough: 2} {
		if got := len(Blocking(findings, rigor)); got != want {
			t.Errorf("%s: %d block, not %d", rigor, got, want)
		}
	}
	if got := (FindingCount{1, 1, 1}); Count(findings) != got {
		t.Errorf("counted %+v", Count(findings))
	}
}

func TestCriteriaAreTheSameInOtherSpelling(t *testing.T) {
	said := []Criterion{{Text: "  The `tool` is FAST.", Satisfied: true}}
	if left := Missing([]string{"the tool is fast"}, said); len(left) != 0 {
		t.Errorf("left out: %v", left)
	}
	if left := Missing([]string{"the tool is small"}, said); len(left) != 1 || left[0].Severity != Important {
		t.Errorf("left out: %v", left)
	}
}
