package results

import (
	"slices"
	"strings"

	"autopilot/autopilot/shell"
)

func aloneGradle(_ string, list segment, test string) (segment, bool) {
	name, _, _ := strings.Cut(test, "(")
	if !strings.Contains(name, ".") || strings.ContainsAny(name, " /") {
		return nil, false
	}
	return append(slices.Clone(list), "--tests", shell.Quote(name)), true
}
