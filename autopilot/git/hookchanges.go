package git

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
)

// hookChanged lists what the hooks of a commit did beside letting it through: files of the commit that they edited or
// left different from it, other files that they edited, made or removed, and files that they added to the commit.
func (r *Repo) hookChanged(c committing, after Status, beside []string) ([]string, error) {
	changed := slices.Clone(beside)
	now, err := r.fingerprints(slices.Concat(after.Dirt, c.before.Dirt))
	if err != nil {
		return nil, err
	}
	for path, file := range now {
		before, wasDirty := c.marks[path]
		if !wasDirty || file != before {
			changed = append(changed, path)
		}
	}
	for _, left := range after.Dirt {
		if slices.Contains(c.paths, left.Path) {
			changed = append(changed, left.Path)
		}
	}
	slices.Sort(changed)
	return slices.Compact(changed), nil
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
func (r *Repo) fingerprints(dirt []Change) (map[string]File, error) {
	d, err := r.openDisk()
	if err != nil {
		return nil, err
	}
	defer d.Close()
	marks := map[string]File{}
	for _, change := range dirt {
		f, err := d.look(change.Path)
		if err == nil && f.Mode != "" && f.Size <= r.limits.file {
			var data []byte
			f, data, err = d.load(change.Path)
			f.Blob = r.blobID(data)
		}
		if err != nil {
			return nil, fmt.Errorf("looking at %q: %w", change.Path, err)
		}
		marks[change.Path] = f
	}
	return marks, nil
}

// committedIn is the commit that HEAD is now, and what it changed since before: blobs by path, "" for what it removed.
func (r *Repo) committedIn(ctx context.Context, c committing) (head string, held map[string]string, err error) {
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
