package git

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// SteeringFiles are the files in the git folder that decide what git sees of a working tree and what it runs there.
type SteeringFiles struct{ *runner }

// Steering is what decides, beside what is committed, how git sees a working tree and what it runs there: what is
// ignored, attributes, hooks, configuration. By paths in the git folder, with slashes. It can be written as JSON.
type Steering struct {
	Shared map[string]*Held `json:"shared"` // in the git folder that all working trees share
	Own    map[string]*Held `json:"own"`    // in the working tree's own
}

// Files that steer, beside the hooks: in the git folder that all working trees share, and in a working tree's own.
var (
	sharedSteering = []string{"info/exclude", "info/attributes", "info/grafts", "config"}
	ownSteering    = []string{"info/sparse-checkout", "config.worktree"}
)

// configFiles are compared by the keys that steer, see steers: the rest of them people may change at any time.
var configFiles = []string{"config", "config.worktree"}

// Read reads what steers git now.
func (r *SteeringFiles) Read() (Steering, error) {
	s := Steering{Shared: map[string]*Held{}, Own: map[string]*Held{}}
	var problems []error
	hold := func(all map[string]*Held, dir, name string) {
		held, err := Hold(filepath.Join(dir, filepath.FromSlash(name)))
		if problems = append(problems, err); held != nil {
			all[name] = held
		}
	}
	for _, name := range sharedSteering {
		hold(s.Shared, r.commonDir, name)
	}
	for _, name := range ownSteering {
		hold(s.Own, r.gitDir, name)
	}
	hooks := filepath.Join(r.commonDir, "hooks")
	err := filepath.WalkDir(hooks, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".sample") {
			return err
		}
		name, err := filepath.Rel(r.commonDir, path)
		hold(s.Shared, r.commonDir, filepath.ToSlash(name))
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return s, errors.Join(append(problems, err)...)
}

// PutBack makes what steers git what it was, and names what was not: paths in the git folder, of configuration
// with the key. What was there is kept in a folder. Head is the commit that was checked out before.
func (r *SteeringFiles) PutBack(ctx context.Context, was Steering, head, keep string) ([]string, error) {
	return r.putBack(ctx, was, puttingBack{files: r, head: head, keep: keep})
}

func (r *SteeringFiles) putBack(ctx context.Context, was Steering, p puttingBack) ([]string, error) {
	now, err := r.Read()
	if err != nil || was.Shared == nil {
		return nil, err
	}
	err = p.all(ctx, r.commonDir, sharedSteering, was.Shared, now.Shared)
	if _, gone := os.Stat(r.gitDir); gone == nil && err == nil {
		err = p.all(ctx, r.gitDir, ownSteering, was.Own, now.Own)
	}
	return p.changed, err
}

// PutProgramsBack is the part of PutBack that comes before git looks at the working tree: by the configuration it
// may run a program then, and what is no plain file it may wait for. What hides files stays, so that they can be found.
func (r *SteeringFiles) PutProgramsBack(ctx context.Context, was Steering, head, keep string) ([]string, error) {
	return r.putBack(ctx, was, puttingBack{files: r, head: head, keep: keep, programs: true})
}

// Changed names what PutBack would put back, and leaves it.
func (r *SteeringFiles) Changed(ctx context.Context, was Steering, head string) ([]string, error) {
	now, err := r.Read()
	if err != nil || was.Shared == nil {
		return nil, err
	}
	p := puttingBack{files: r, head: head, looks: true}
	err = errors.Join(p.all(ctx, r.commonDir, sharedSteering, was.Shared, now.Shared), p.all(ctx, r.gitDir, ownSteering, was.Own, now.Own))
	return p.changed, err
}

// puttingBack is one call of PutBack.
type puttingBack struct {
	files      *SteeringFiles
	head, keep string
	looks      bool // and puts nothing back
	programs   bool // and puts back only what PutProgramsBack does
	changed    []string
}

func (p *puttingBack) put(was *Held, path string) error {
	if p.looks {
		return nil
	}
	return was.PutAt(path)
}

// all goes through the files of a folder: those that are there, were there, or are not seen by Hold.
func (p *puttingBack) all(ctx context.Context, dir string, known []string, was, now map[string]*Held) error {
	names := slices.AppendSeq(slices.AppendSeq(slices.Clone(known), maps.Keys(was)), maps.Keys(now))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if was[name].Same(now[name]) && !waits(path) {
			continue
		}
		if slices.Contains(configFiles, name) {
			if err := p.config(ctx, path, was[name], now[name]); err != nil {
				return err
			}
			continue
		}
		if p.programs && !waits(path) {
			continue
		}
		if err := p.kept(name, now[name]); err != nil {
			return err
		}
		if err := p.put(was[name], path); err != nil {
			return err
		}
		p.changed = append(p.changed, name)
	}
	return nil
}

// kept keeps a copy of what is about to be put back.
func (p *puttingBack) kept(name string, now *Held) error {
	if now == nil || p.looks {
		return nil
	}
	copied := *now
	copied.Size = int64(len(now.Text))
	return copied.PutAt(filepath.Join(p.keep, filepath.FromSlash(name)))
}
