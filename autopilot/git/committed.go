package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// othersIn lists what a commit holds although it differed from HEAD before and is none of the commit's own paths: the
// user's files, say, where a hook stages all that it finds.
func (c committing) othersIn(held map[string]string) []string {
	var others []string
	for _, change := range c.before.Dirt {
		if _, in := held[change.Path]; in && !slices.Contains(c.paths, change.Path) {
			others = append(others, change.Path)
		}
	}
	return others
}

// amendWithout makes HEAD's commit anew without what was taken out: there it has what it had before. Message and author
// stay, and hooks ran already. Neither the working tree nor its index takes part.
func (r *Commits) amendWithout(ctx context.Context, made Committed, before string) (string, error) {
	was, err := r.history.listTree(ctx, before)
	if err != nil {
		return made.SHA, fmt.Errorf("listing the files of %s: %w", before, err)
	}
	var entries strings.Builder
	for _, path := range made.TakenOut {
		f, ok := was[path]
		if !ok {
			f = File{Mode: "0", Blob: r.zeroID()}
		}
		fmt.Fprintf(&entries, "%s %s\t%s\x00", f.Mode, f.Blob, path)
	}
	err = r.index.lend(IndexFile{}, func(index string) error {
		for _, c := range []call{
			{args: []string{"read-tree", made.SHA}},
			{args: []string{"update-index", "-z", "--index-info"}, stdin: []byte(entries.String())},
			{args: append(r.pinned.signing(), "commit", "--amend", "--quiet", "--no-edit", "--allow-empty", "--cleanup=verbatim")},
		} {
			c.index = index
			if _, _, err := r.run(ctx, c); err != nil {
				return fmt.Errorf("taking out of the commit what a hook put into it: %w", err)
			}
		}
		return nil
	})
	if err != nil {
		return made.SHA, err
	}
	now, err := r.Position(ctx)
	return now.Head, err
}

// converts are the settings by which git stores other content than a file has.
var converts = lazyregexp.New(`^(filter\..*|core\.(autocrlf|eol|attributesfile)|attr\.tree|info/attributes)$`)

// asSeen compares a commit with what was seen of the working tree, blob by blob. Where it holds something else it is taken
// back, and that is an AlteredError. What hooks changed is left out: it is told, to be looked at again.
func (r *Commits) asSeen(ctx context.Context, c committing, made Committed, held map[string]string) error {
	converted, err := r.config.changedSince(ctx, converts, nil)
	if err != nil {
		return err
	}
	var odd, altered []string
	for _, path := range c.paths {
		blob, in := held[path]
		switch {
		case slices.Contains(made.HookChanged, path):
		case len(converted) > 0 && blob != c.marks[path].Blob: // what seems meant was converted, too
			altered = append(altered, path)
		case !in || blob != c.meant(path):
			odd = append(odd, path)
		}
	}
	more, err := r.altered(ctx, c, made, odd)
	if altered = append(altered, more...); err != nil || len(altered) == 0 {
		return err
	}
	if _, err := r.write(ctx, nil, "update-ref", "-m", "autopilot: take back", "HEAD", c.before.Head, made.SHA); err != nil {
		return fmt.Errorf("taking the commit back: %w", err)
	}
	return errors.Join(&AlteredError{altered}, r.index.Store(ctx, c.index))
}

// meant is the blob that a path is to have in the commit; "" for none.
func (c committing) meant(path string) string {
	if c.seen != nil {
		return c.seen[path].Blob
	}
	return c.marks[path].Blob
}

// altered looks closer at paths that are not in a commit as they lie in the working tree. Line endings and filters
// account for that where git, asked once more, would store the same, of a file that did not change since it was seen.
func (r *Commits) altered(ctx context.Context, c committing, made Committed, odd []string) ([]string, error) {
	if len(odd) == 0 {
		return nil, nil
	}
	there, err := r.history.listTree(ctx, made.SHA)
	if err != nil {
		return nil, fmt.Errorf("listing the files of %s: %w", made.SHA, err)
	}
	stored, err := r.stored(ctx, c.index, odd)
	if err != nil {
		return nil, err
	}
	now := tree{}
	for _, path := range odd {
		now[path] = File{Path: path}
	}
	if err := r.tree.hashChanged(ctx, now); err != nil {
		return nil, fmt.Errorf("hashing the working tree: %w", err)
	}
	return slices.DeleteFunc(odd, func(path string) bool {
		unchanged := c.seen == nil || c.seen[path].Blob == now[path].Blob
		return unchanged && there[path].Blob == stored[path]
	}), nil
}

// stored is what git would put into an index for these paths: blobs by path.
func (r *Commits) stored(ctx context.Context, from IndexFile, paths []string) (map[string]string, error) {
	blobs := map[string]string{}
	err := r.index.lend(from, func(index string) error {
		if _, _, err := r.run(ctx, call{args: []string{"update-index", "--add", "--remove", "-z", "--stdin"}, stdin: joined(paths), index: index}); err != nil {
			return err
		}
		out, _, err := r.run(ctx, call{args: []string{"ls-files", "-z", "--stage"}, index: index})
		for entry := range bytes.SplitSeq(out, []byte{0}) {
			fields, path, _ := bytes.Cut(entry, []byte{'\t'})
			if f := bytes.Fields(fields); len(f) == 3 {
				blobs[string(path)] = string(f[1])
			}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("looking at what git would commit: %w", err)
	}
	return blobs, nil
}

// byHooks sets what the hooks of a commit did. HookChanged are files of the commit that they edited or left different from
// it, other files that they edited or removed, and files that they added to the commit. HookLeft are new files that they
// did not add.
func (r *Commits) byHooks(c committing, after Status, beside []string, made *Committed) error {
	changed := slices.Clone(beside)
	now, err := r.fingerprints(slices.Concat(after.Dirt, c.before.Dirt))
	if err != nil {
		return err
	}
	part := slices.Concat(c.paths, beside)
	untracked := slices.DeleteFunc(after.Untracked(), func(path string) bool { return slices.Contains(part, path) })
	for path, file := range now {
		before, wasDirty := c.marks[path]
		switch {
		case !wasDirty && slices.Contains(untracked, path):
			made.HookLeft = append(made.HookLeft, path)
		case !wasDirty || file != before:
			changed = append(changed, path)
		}
	}
	for _, left := range after.Dirt {
		if slices.Contains(c.paths, left.Path) {
			changed = append(changed, left.Path)
		}
	}
	slices.Sort(changed)
	slices.Sort(made.HookLeft)
	made.HookChanged = slices.Compact(changed)
	return nil
}

// behind lists what the index still says as it was before the hooks: git commit --only has them write into an index of
// its own, and what they stage there reaches the commit alone. What the user had staged beside it stays.
func behind(c committing, after Status, beside []string) []string {
	staged := func(dirt []Change, path string) bool {
		return slices.ContainsFunc(dirt, func(d Change) bool { return d.Path == path && d.Staged })
	}
	paths := slices.Concat(c.paths, slices.DeleteFunc(slices.Clone(beside), func(p string) bool { return staged(c.before.Dirt, p) }))
	return slices.DeleteFunc(paths, func(p string) bool { return !staged(after.Dirt, p) })
}

// fingerprints are the states of all dirty files, by path. Of very large files only the size is taken.
func (r *Commits) fingerprints(dirt []Change) (map[string]File, error) {
	d, err := r.openDisk()
	if err != nil {
		return nil, err
	}
	defer d.Close()
	marks := map[string]File{}
	for _, change := range dirt {
		f, err := d.Look(change.Path)
		if err == nil && f.Mode != "" && f.Size <= r.files.limits.file {
			f, _, err = d.Load(change.Path)
		}
		if err != nil {
			return nil, fmt.Errorf("looking at %q: %w", change.Path, err)
		}
		marks[change.Path] = f
	}
	return marks, nil
}

// committedIn is the commit that HEAD is now, and what it changed since before: blobs by path, "" for what it removed.
func (r *Commits) committedIn(ctx context.Context, c committing) (head string, held map[string]string, err error) {
	raw := []string{"-z", "--raw", "--no-abbrev", "--no-renames"}
	out, err := r.read(ctx, slices.Concat([]string{"log", "-1", "--no-show-signature", "--no-color", "--format=%H %P%x00"}, raw)...)
	if err != nil {
		return "", nil, fmt.Errorf("reading what was committed: %w", err)
	}
	line, changed, _ := bytes.Cut(out, []byte{0})
	head, parents, _ := strings.Cut(string(line), " ")
	if head != c.before.Head && parents != c.before.Head { // hooks made commits, too
		if changed, err = r.read(ctx, slices.Concat([]string{"diff-tree", "-r"}, raw, []string{c.before.Head, head})...); err != nil {
			return "", nil, fmt.Errorf("reading what was committed: %w", err)
		}
	}
	held = map[string]string{}
	for pair := range slices.Chunk(split(bytes.TrimLeft(changed, "\x00\n"), 0), 2) { // :100644 100644 old new M
		fields := strings.Fields(pair[0])
		if len(pair) != 2 || len(fields) != 5 || IsRunData(pair[1]) {
			continue
		}
		if held[pair[1]] = fields[3]; fields[4] == "D" {
			held[pair[1]] = ""
		}
	}
	return head, held, nil
}
