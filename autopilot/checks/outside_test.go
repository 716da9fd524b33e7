package checks

import (
	"testing"

	"autopilot/autopilot/integrity"
	"autopilot/autopilot/machine"
)

func TestAConcernThatNamesAStrayFileMakesItASuggestion(t *testing.T) {
	stray := machine.Finding{Severity: machine.Important, File: "docs/log.md", Title: integrity.OutsidePlan, Rationale: "Why."}
	for concern, want := range map[string]string{
		"`docs/log.md` tells the format.":  machine.Suggestion,
		"The format stands in log.md.":     machine.Suggestion,
		"The format stands in log.md.old.": machine.Important,
		"It is catalog.md that tells.":     machine.Important,
		"":                                 machine.Important,
	} {
		found := explained([]machine.Finding{{Severity: machine.Critical, Title: "other"}, stray}, []string{"Slow.", concern})
		if found[1].Severity != want || (want == machine.Suggestion) != (found[1].Rationale == "Why. The executor says: "+concern) || found[0].Severity != machine.Critical {
			t.Errorf("%q: %+v", concern, found)
		}
	}
}
