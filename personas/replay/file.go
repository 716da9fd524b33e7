package replay

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"go.yaml.in/yaml/v3"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/plainfile"
	"autopilot/personas"
)

// File is a replay file, read and checked.
type File struct {
	Name string           // how errors call it
	Now  func() time.Time // what retry_after counts from; nil: the limit's end is not told

	dispatches []dispatch
}

type document struct {
	Version    int        `yaml:"version"`
	Dispatches []dispatch `yaml:"dispatches"`
}

// dispatch is one that a replay file has the turns of.
type dispatch struct {
	Key   personas.Key `yaml:",inline"`
	Turns []*turn      `yaml:"turns"`
}

// goTypes is what the reader of YAML says of types that nobody outside the source knows.
var goTypes = lazyregexp.New(` (in type|into) (\[\]|\*|map\[\w+\])*replay\.\w+`)

// Load reads a replay file.
func Load(path string) (*File, error) {
	src, err := plainfile.Read(path)
	if err != nil {
		return nil, fmt.Errorf("reading the replay file: %w", err)
	}
	return Parse(path, src)
}

// Parse reads a replay file's text; name is how errors call it.
func Parse(name string, src []byte) (*File, error) {
	var doc document
	dec := yaml.NewDecoder(bytes.NewReader(src))
	dec.KnownFields(true)
	if err := dec.Decode(&doc); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("replay file %s: %s. Fix it there; docs/files.md shows the form", name, goTypes.ReplaceAllString(err.Error(), ""))
	}
	if doc.Version != 1 {
		return nil, fmt.Errorf("replay file %s: version is %d; write \"version: 1\"", name, doc.Version)
	}
	f := &File{Name: name, dispatches: doc.Dispatches}
	seen := map[personas.Key]bool{}
	for i := range f.dispatches {
		d := &f.dispatches[i]
		if d.Key.Attempt == 0 {
			d.Key.Attempt = 1
		}
		if err := d.check(seen); err != nil {
			return nil, fmt.Errorf("replay file %s: dispatch %d (%s): %w", name, i+1, d.Key, err)
		}
		seen[d.Key] = true
	}
	return f, nil
}

func (d *dispatch) check(seen map[personas.Key]bool) error {
	switch known := personas.Names(); {
	case !slices.Contains(known, personas.Name(d.Key.Persona)):
		return fmt.Errorf("persona %q is none of %v", d.Key.Persona, known)
	case seen[d.Key]:
		return errors.New("it is there twice")
	case len(d.Turns) == 0:
		return errors.New("it has no turns")
	}
	for i, t := range d.Turns {
		if t == nil {
			return fmt.Errorf("turn %d is empty", i+1)
		}
		if err := t.prepare(); err != nil {
			return fmt.Errorf("turn %d: %w", i+1, err)
		}
	}
	return nil
}

// Unused gives the dispatches that are not among those played. Asked at the end
// of all runs, with what the journal remembers, it tells whether the file
// promised more than was done.
func (f *File) Unused(played []personas.Key) (unused []personas.Key) {
	for _, d := range f.dispatches {
		if !slices.Contains(played, d.Key) {
			unused = append(unused, d.Key)
		}
	}
	return unused
}
