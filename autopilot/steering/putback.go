package steering

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"autopilot/autopilot/git"
)

// puttingBack is one call of PutBack.
type puttingBack struct {
	files      Files
	head, keep string
	looks      bool // and puts nothing back
	programs   bool // and puts back only what PutProgramsBack does
	changed    []Change
	allowed    bool // a key changed that the user lets others change
}

// all goes through the files of a folder: those that are there, were there, or are not seen by Hold.
func (p *puttingBack) all(ctx context.Context, dir string, known []string, was, now map[string]*git.Held) error {
	names := slices.AppendSeq(slices.AppendSeq(slices.Clone(known), maps.Keys(was)), maps.Keys(now))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if was[name].Same(now[name]) && !git.Waits(path) {
			continue
		}
		var err error
		if isConfig(name) {
			err = p.config(ctx, name, path, was[name], now[name])
		} else if !p.programs || git.Waits(path) || slices.Contains(pointers, name) {
			err = p.file(name, path, was[name], now[name])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// file puts a whole file back.
func (p *puttingBack) file(name, path string, was, now *git.Held) error {
	if p.files.Repo.Settings.Keeps(name) {
		return nil
	}
	p.changed = append(p.changed, Change{Name: name, Kept: name, Verdict: fileVerdict(name, now)})
	if p.looks {
		return nil
	}
	if err := p.kept(name, now); err != nil {
		return err
	}
	return was.PutAt(path)
}

// kept keeps a copy of what is about to be put back.
func (p *puttingBack) kept(name string, now *git.Held) error {
	if now == nil {
		return nil
	}
	copied := *now
	copied.Size = int64(len(now.Text))
	return copied.PutAt(filepath.Join(p.keep, filepath.FromSlash(name)))
}
