package steering

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/git/gitdir"
	"autopilot/autopilot/plainfile"
)

// puttingBack is one call of PutBack.
type puttingBack struct {
	files      Files
	head, keep string
	looks      bool // and puts nothing back
	programs   bool // and puts back only what PutProgramsBack does
	news       bool // and puts back only what PutNewBack does
	changed    []Change
	allowed    bool // a key changed that the user lets others change
}

// all goes through the files of a folder: those that are there, were there, or are not seen by Hold.
func (p *puttingBack) all(ctx context.Context, dir string, known []string, was, now map[string]*plainfile.Held) error {
	names := slices.AppendSeq(slices.AppendSeq(slices.Clone(known), maps.Keys(was)), maps.Keys(now))
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
	})
	for _, name := range slices.Compact(names) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		blocks := plainfile.Waits(path) || isFolder(path) && now[name] == nil
		if was[name].Same(now[name]) && !blocks || isUsual(name, was[name], now[name]) || p.news && now[name] == nil && !blocks {
			continue
		}
		var err error
		if isConfig(name) {
			err = p.config(ctx, name, path, was[name], now[name])
		} else if !p.programs || blocks || rank(name) == 0 || isLink(now[name]) {
			err = p.file(name, path, was[name], now[name])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// file puts a whole file back.
func (p *puttingBack) file(name, path string, was, now *plainfile.Held) error {
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
	if err := os.RemoveAll(path); err != nil { // else what is a folder, or leads to one, would be written into
		return err
	}
	if was != nil && was.Mode.IsDir() {
		return os.MkdirAll(path, 0o755)
	}
	return was.PutAt(path)
}

// rank is 0 for what is put back before the rest.
func rank(name string) int {
	if slices.Contains(firstBack, name) {
		return 0
	}
	return 1
}

// isUsual says whether git itself changes a file so, day by day: what is checked out is for refs.Guards to compare, a fetch makes a
// history shallow or deeper, and the objects that it left out are not there; a submodule that is removed takes its folder along.
func isUsual(name string, was, now *plainfile.Held) bool {
	switch name {
	case "HEAD":
		return was == nil || now != nil && !isLink(now) && gitdir.IsHead(string(now.Text))
	case "shallow":
		return now == nil || !isLink(now) && !slices.ContainsFunc(strings.Fields(string(now.Text)), func(id string) bool { return !gitdir.IsHead(id) })
	}
	return now == nil && strings.HasPrefix(name, "modules/")
}

func isLink(h *plainfile.Held) bool { return h != nil && h.Mode&fs.ModeSymlink != 0 }

func isFolder(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// kept keeps a copy of what is about to be put back; of a link where it leads. Where its place is a link by now, that is removed
// and told by whoever looks after the program's own folders, and there is no copy.
func (p *puttingBack) kept(name string, now *plainfile.Held) error {
	if now == nil || now.Mode.IsDir() {
		return nil
	}
	err := plainfile.WriteIn(p.files.Repo.CommonDir(), filepath.Join(p.keep, filepath.FromSlash(name)), now.Text, plainfile.PrivateFile)
	if _, link := errors.AsType[*plainfile.LinkError](err); link {
		return nil
	}
	return err
}
