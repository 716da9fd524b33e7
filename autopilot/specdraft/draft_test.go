package specdraft

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/personas"
	"autopilot/spec"
)

func TestSpecIsNamedAfterTheFirstWords(t *testing.T) {
	for text, want := range map[string]string{
		"Implement login with e-mail and OAuth": "implement-login-with-e-mail-and-oauth",
		"\n---\n# Log people in!\n\nMore.":      "log-people-in",
		"../../etc/passwd":                      "etc-passwd",
		"Größe & Maß":                           "größe-maß",
		strings.Repeat("many words ", 20):       "many-words-many-words-many-words-many-words-many-words-many",
		strings.Repeat("x", 300):                strings.Repeat("x", 100),
		"!? …\n":                                "",
	} {
		if got := specSlug(text); got != want {
			t.Errorf("specSlug(%.40q) = %q, want %q", text, got, want)
		}
	}
}

// The example stands in a fence inside the method.
func TestExampleInTheMethodIsASpec(t *testing.T) {
	set, err := personas.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(set.For(personas.Planner, personas.SpecDraft).Body, "````markdown\n")
	example, _, found := strings.Cut(rest, "````")
	if !found {
		t.Fatal("there is no example")
	}
	parsed, err := spec.Parse([]byte(example))
	if err != nil || len(parsed.Warnings) > 0 {
		t.Fatalf("it is none: %v %v", err, parsed)
	}
	if len(parsed.Phases) != 2 || parsed.Phases[1].Complexity != spec.High || len(parsed.Criteria) != 2 {
		t.Errorf("it reads as %+v", parsed)
	}
}

func TestDraftThatLeadsOutOfTheRepositoryIsNotRead(t *testing.T) {
	elsewhere := t.TempDir()
	if err := os.WriteFile(filepath.Join(elsewhere, "x.md"), []byte("# X\n\n## Implementation Order\n\n### Phase 1: X\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, place := range map[string]func(specs string) error{
		"the file is a link": func(specs string) error {
			return os.Symlink(filepath.Join(elsewhere, "x.md"), filepath.Join(specs, "x.md"))
		},
		"the file is a folder": func(specs string) error { return os.Mkdir(filepath.Join(specs, "x.md"), 0o755) },
		"its folder is a link": func(specs string) error { return errors.Join(os.Remove(specs), os.Symlink(elsewhere, specs)) },
		"it is missing":        func(string) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			specs := filepath.Join(root, filepath.FromSlash(Folder))
			if err := errors.Join(os.MkdirAll(specs, 0o755), place(specs)); err != nil {
				t.Skip(err) // Windows, without the right to make links
			}
			drafted, err := readDraft(root, Folder+"/x.md")
			if err != nil || drafted.Spec != nil || len(drafted.Problems) != 1 {
				t.Errorf("read as %+v, %v", drafted, err)
			}
		})
	}
}
