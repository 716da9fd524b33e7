package validate

import (
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/validate/results"
)

// Loss says which tests do not run any more.
type Loss struct {
	Before, Now int      // how many ran
	Gone        []string // sorted; they are named no more. Empty where the outputs name no passed tests
	Replaced    []string // sorted; they are named no more either, but as many tests run
	Skipped     []string // sorted; they ran before, and are skipped now
}

// Fewer tells whether fewer tests ran now than before, where both runs of a command tell it: by names where both name
// every test that ran, so that a test under another name is no loss, and one that is skipped is; else by counts.
func Fewer(baseline, now Evidence) (Loss, bool) {
	if baseline.Command != now.Command || baseline.Dir != now.Dir || baseline.Counts == nil || now.Counts == nil {
		return Loss{}, false
	}
	l := Loss{Before: baseline.Counts.Ran, Now: now.Counts.Ran}
	if namesAll(baseline) && namesAll(now) {
		l.compare(baseline.Results, now.Results)
	}
	return l, l.Now < l.Before || len(l.Skipped) > 0
}

// namesAll says whether the names are all there are.
func namesAll(e Evidence) bool {
	ran := 0
	for _, result := range e.Results {
		if result != results.TestSkipped {
			ran++
		}
	}
	return ran > 0 && ran == e.Counts.Ran
}

func (l *Loss) compare(before, now map[string]results.TestResult) {
	for name, result := range before {
		if result == results.TestSkipped {
			continue
		}
		switch now[name] {
		case "":
			if l.Now < l.Before {
				l.Gone = append(l.Gone, name)
			} else {
				l.Replaced = append(l.Replaced, name)
			}
		case results.TestSkipped:
			l.Skipped = append(l.Skipped, name)
		}
	}
	slices.Sort(l.Gone)
	slices.Sort(l.Replaced)
	slices.Sort(l.Skipped)
}

// maxNamed is how many tests a text for people names.
const maxNamed = 8

// String is the loss in a sentence.
func (l Loss) String() string {
	text := fmt.Sprintf("%d tests ran before, %d now", l.Before, l.Now)
	if len(l.Skipped) > 0 {
		text += "; skipped: " + Named(l.Skipped)
	}
	if len(l.Gone) > 0 {
		text += "; gone: " + Named(l.Gone)
	}
	return text
}

// Named lists tests for people: the first few, and how many more there are.
func Named(tests []string) string {
	if len(tests) <= maxNamed {
		return strings.Join(tests, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(tests[:maxNamed], ", "), len(tests)-maxNamed)
}
