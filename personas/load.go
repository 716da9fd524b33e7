package personas

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

//go:embed files
var embedded embed.FS

// names are the personas, and forms the purposes that have a method of their
// own: a form is a persona with another method, and maybe fewer rights.
var (
	names = []Name{Planner, Executor, Verifier, Reviewer}
	forms = map[Purpose]Name{Skeleton: Planner, SpecDraft: Planner, Diagnosis: Verifier, Blind: Verifier, Final: Reviewer}
)

// Names lists the personas.
func Names() []Name { return slices.Clone(names) }

// Set is the personas of a run, overrides applied.
type Set struct {
	personas map[Name]Persona
	forms    map[Purpose]Persona
}

// For gives the persona as it is dispatched for a purpose. A purpose that has
// no method of its own, or belongs to another persona, gives the plain one.
func (s Set) For(n Name, purpose Purpose) Persona {
	if f, ok := s.forms[purpose]; ok && f.Name == n {
		return f
	}
	return s.personas[n]
}

// All lists the plain form and every other form of some personas.
func (s Set) All(of ...Name) []Persona {
	var all []Persona
	for _, n := range of {
		all = append(all, s.personas[n])
		for _, purpose := range slices.Sorted(maps.Keys(forms)) {
			if forms[purpose] == n {
				all = append(all, s.forms[purpose])
			}
		}
	}
	return all
}

// Load reads the personas, with the files <name>.md of overrides (the folder
// .harness/personas; nil: none) in place of the embedded ones. What the front
// matter of an override leaves out stays as embedded. The methods of the
// purposes skeleton, spec, diagnosis, blind and final are overridden in the same way.
func Load(overrides fs.FS) (Set, error) {
	s := Set{personas: map[Name]Persona{}, forms: map[Purpose]Persona{}}
	if err := refuseUnknown(overrides); err != nil {
		return Set{}, err
	}
	for _, n := range names {
		p, err := load(overrides, "files/"+string(n)+".md", Persona{Name: n})
		if err != nil {
			return Set{}, err
		}
		s.personas[n] = p
	}
	for purpose, n := range forms {
		base := s.personas[n]
		base.Owes, base.Tools = nil, nil
		p, err := load(overrides, "files/purposes/"+string(purpose)+".md", base)
		if err != nil {
			return Set{}, err
		}
		s.forms[purpose] = p
	}
	return s, nil
}

func load(overrides fs.FS, file string, base Persona) (Persona, error) {
	src, err := embedded.ReadFile(file)
	if err != nil {
		return Persona{}, fmt.Errorf("reading the embedded persona: %w", err)
	}
	p, err := parse(src, base)
	if err != nil || overrides == nil {
		return p, wrapFile(file, err)
	}
	src, err = fs.ReadFile(overrides, path.Base(file))
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return Persona{}, fmt.Errorf("persona file .harness/personas/%s: %w; put a plain file there, not a link that leads out of the repository, or remove it", path.Base(file), err)
	}
	p, err = parse(src, p)
	return p, wrapFile(".harness/personas/"+path.Base(file), err)
}

func wrapFile(file string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("persona file %s: %w; fix its front matter, or remove the file to have the built-in persona", file, err)
}

// refuseUnknown keeps a misspelt override from being ignored in silence.
func refuseUnknown(overrides fs.FS) error {
	if overrides == nil {
		return nil
	}
	entries, err := fs.ReadDir(overrides, ".")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		if nameless, ok := errors.AsType[*fs.PathError](err); ok {
			err = nameless.Err
		}
		return fmt.Errorf("reading the folder .harness/personas: %w; put a folder in its place, or remove it, then run the same command again", err)
	}
	for _, e := range entries {
		name, isMarkdown := strings.CutSuffix(e.Name(), ".md")
		if !isMarkdown || strings.EqualFold(name, "readme") || slices.Contains(knownNames(), name) {
			continue
		}
		return fmt.Errorf("persona file .harness/personas/%s: there is no persona of that name; rename it to one of %s",
			e.Name(), strings.Join(knownNames(), ", "))
	}
	return nil
}

func knownNames() []string {
	var out []string
	for _, n := range names {
		out = append(out, string(n))
	}
	for purpose := range forms {
		out = append(out, string(purpose))
	}
	slices.Sort(out)
	return out
}
