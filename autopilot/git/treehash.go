package git

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Hash names the state of the working tree: path, mode and content of every file that is tracked or untracked and
// not ignored, as a commit of it would hold them (line endings converted, filters run). Equal trees have equal hashes
// whatever is staged or committed. Run data and submodules do not count. Nothing is written.
func (r *Tree) Hash(ctx context.Context) (string, error) {
	listed, err := r.workTree(ctx)
	return listed.work.sum(), err
}

// listed is the working tree, with the content of every file, and the index.
type listed struct{ work, index tree }

func (r *Tree) workTree(ctx context.Context) (listed, error) {
	return once(ctx, r.runner, "tree", func() (listed, error) { return r.readTree(ctx) })
}

func (r *Tree) readTree(ctx context.Context) (listed, error) {
	out, err := r.read(ctx, "ls-files", "-z", "-t", "--stage", "--cached", "--modified", "--deleted", "--others",
		"--exclude-standard")
	if err != nil {
		return listed{}, fmt.Errorf("listing the working tree: %w", err)
	}
	trees := parseTree(split(out, 0))
	maps.DeleteFunc(trees.work, func(path string, f File) bool {
		_, known := trees.index[path]
		return f.Blob == "" && !known && refusal(r.root, path) != ""
	})
	if err := r.hashChanged(ctx, trees.work); err != nil {
		return listed{}, fmt.Errorf("hashing the working tree: %w", err)
	}
	return trees, nil
}

// tree is the working tree by path. A file without Blob differs from the index and is still to be hashed.
type tree map[string]File

// parseTree reads ls-files -t --stage. A path comes once for each thing that is true of it: H it is in the index, S it
// is there and left out of a sparse checkout, C it differs from the index, R it was deleted, ? it is untracked.
func parseTree(records []string) listed {
	t, index := tree{}, tree{}
	for _, record := range records {
		tag, rest, _ := strings.Cut(record, " ")
		entry, path, tracked := strings.Cut(rest, "\t")
		if tag == "?" {
			path = rest
		}
		if IsRunData(path) || strings.HasSuffix(path, "/") || tag != "?" && strings.HasPrefix(entry, submodule) {
			continue
		}
		fields := strings.Fields(entry)
		if tracked && len(fields) == 3 {
			index[path] = File{Path: path, Mode: fields[0], Blob: fields[1]}
		}
		switch {
		case tag == "?":
			t[path] = File{Path: path}
		case !tracked || len(fields) != 3:
			continue
		case tag == "H" || tag == "S":
			t[path] = index[path]
		default:
			t[path] = File{Path: path, Mode: fields[0]}
		}
	}
	return listed{work: t, index: index}
}

// hashChanged completes what differs from the index, and drops what is no longer there.
func (r *Tree) hashChanged(ctx context.Context, t tree) error {
	set, err := r.config.readSettings(ctx)
	if err != nil {
		return err
	}
	d, err := r.openDisk()
	if err != nil {
		return err
	}
	defer d.Close()
	var regular []string
	for _, path := range t.unhashed() {
		f, err := d.Look(path)
		switch {
		case err != nil:
			return err
		case f.Mode == "":
			delete(t, path)
			continue
		case f.Mode == "120000":
			if read, _, err := d.Load(path); err == nil {
				f = read
			}
		default:
			f.Mode = set.modeFor(t[path].Mode, f.Mode)
			regular = append(regular, path)
		}
		t[path] = f
	}
	return r.hashObjects(ctx, t, regular)
}

// modeFor is the mode that a commit would hold: where the file system knows no executable bit, the index decides.
func (s settings) modeFor(index, disk string) string {
	switch {
	case s.fileMode:
		return disk
	case index == "100755":
		return index
	}
	return "100644"
}

func (r *Tree) hashObjects(ctx context.Context, t tree, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	var list bytes.Buffer
	for _, path := range paths {
		list.WriteString(quoted(path) + "\n")
	}
	out, err := r.answer(ctx, list.Bytes(), "hash-object", "--stdin-paths")
	if err != nil {
		return err
	}
	for i, id := range split(out, '\n') {
		f := t[paths[i]]
		f.Blob = id
		t[paths[i]] = f
	}
	return nil
}

func (t tree) unhashed() []string {
	var paths []string
	for path, f := range t {
		if f.Blob == "" {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

func (t tree) sum() string {
	var lines []string
	for path, f := range t {
		lines = append(lines, fmt.Sprintf("%s %s %s\x00", f.Mode, f.Blob, path))
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "")))
	return hex.EncodeToString(sum[:])
}

// quoted is a path the way git reads it in lists that are separated by newlines.
func quoted(path string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(path) {
		if c := path[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			fmt.Fprintf(&b, `\%03o`, c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// HashAt is what Hash would say of a working tree that is exactly as a commit has it.
func (r *Tree) HashAt(ctx context.Context, revision string) (string, error) {
	t, err := r.treeAt(ctx, revision)
	return t.sum(), err
}

// HashWith is the Hash of HEAD with these paths as they are in the working tree: what a commit of them holds.
func (r *Tree) HashWith(ctx context.Context, paths []string) (string, error) {
	listed, err := r.workTree(ctx)
	if err != nil {
		return "", err
	}
	t, err := r.treeAtHead(ctx, listed.index)
	if err != nil {
		return "", err
	}
	for _, path := range projectPaths(paths) {
		if f, ok := listed.work[path]; ok {
			t[path] = f
		} else {
			delete(t, path)
		}
	}
	return t.sum(), nil
}

// treeAt lists a commit's files, without run data and submodules.
func (r *Tree) treeAt(ctx context.Context, revision string) (tree, error) {
	files, err := r.history.listTree(ctx, revision+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("listing the files of %s: %w", revision, err)
	}
	t := tree{}
	for path, f := range files {
		if f.Mode != submodule && !IsRunData(path) {
			t[path] = f
		}
	}
	return t, nil
}

// treeAtHead is the index, where nothing is staged; else git is asked.
func (r *Tree) treeAtHead(ctx context.Context, index tree) (tree, error) {
	now, err := r.Status(ctx)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(now.Dirt, func(c Change) bool { return c.Staged || c.Status == 'A' && !c.Untracked }) {
		return r.treeAt(ctx, "HEAD")
	}
	return maps.Clone(index), nil
}
