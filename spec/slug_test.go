package spec_test

import (
	"strings"
	"testing"

	"autopilot/spec"
)

func TestPhaseSlugs(t *testing.T) {
	for name, want := range map[string]string{
		"Rule Engine":                       "rule-engine",
		"  Core loop — plan (through) it! ": "core-loop-plan-through-it",
		"v2.0_beta":                         "v2-0-beta",
		"Über Größe 基础":                     "über-größe-基础",
		"!?":                                "",
		strings.Repeat("word ", 40):         strings.TrimSuffix(strings.Repeat("word-", 20), "-"),
		strings.Repeat("é", 80):             strings.Repeat("é", 50),
		"x" + strings.Repeat("é", 80):       "x" + strings.Repeat("é", 49),
	} {
		if got := spec.PhaseSlug(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestSessionSlugs(t *testing.T) {
	for path, want := range map[string]string{
		"docs/changes/csv/proposal.md": "changes--csv--proposal",
		"./docs/Spec.MD":               "spec",
		"README.md":                    "readme",
		"a/docs/b.md":                  "a--docs--b",
		".ralph/specs/x.spec.md":       "--ralph--specs--x--spec",
		"spec.markdown":                "spec--markdown",
		"a/../b.md":                    "b",
	} {
		if got, err := spec.SessionSlug(path); got != want || err != nil {
			t.Errorf("%q: got %q, %v", path, got, err)
		}
	}
}

func TestPathsThatEscapeOrCollideGiveNoSlug(t *testing.T) {
	for path, message := range map[string]string{
		"":                               "rename the file",
		"a\nb.md":                        "rename the file",
		"/etc/spec.md":                   "inside the repository",
		`docs\spec.md`:                   `contains '\'`,
		"docs/~^:?*[.md":                 "contains ':'",
		"docs/a\u202ecod.md":             "rename the file",
		"docs/a\u2066.md":                "rename the file",
		"../spec.md":                     "outside the repository",
		"docs/../../spec.md":             "outside the repository",
		"..":                             "outside the repository",
		"docs/a--b.md":                   "contains '--'",
		".md":                            "gives no name",
		"docs/.md":                       "gives no name",
		".":                              "gives no name",
		strings.Repeat("a", 300) + ".md": "too long",
	} {
		if got, err := spec.SessionSlug(path); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%q: got %q, %v", path, got, err)
		}
	}
}
