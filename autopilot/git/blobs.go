package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Blobs keeps what the program wants to find again, under refs of its own.
type Blobs struct {
	*runner
	history *History
}

// Save makes a commit without parents that holds these contents by name, under ref (refs/autopilot/…), and returns
// its id. When it returns, all of it is on the disk. A ref that is there already is replaced.
func (r *Blobs) Save(ctx context.Context, ref, message string, blobs map[string][]byte) (string, error) {
	if !strings.HasPrefix(ref, OwnRefs) {
		return "", fmt.Errorf("saving: %s is not below %s", ref, OwnRefs)
	}
	feed := func(w io.Writer) error {
		beginCommit(w, ref, message)
		for _, name := range slices.Sorted(maps.Keys(blobs)) {
			fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", quoted(name), len(blobs[name]), blobs[name])
		}
		_, err := io.WriteString(w, "get-mark :1\ndone\n")
		return err
	}
	// Called off half-way it would leave the ref's lock behind, as write says.
	out, _, err := r.run(context.WithoutCancel(ctx), call{args: append(slices.Clone(importArgs), "--force"), feed: feed})
	if err != nil {
		return "", fmt.Errorf("saving %s: %w", ref, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// Read reads what Save saved, by its commit or ref.
func (r *Blobs) Read(ctx context.Context, commit string) (map[string][]byte, error) {
	files, err := r.history.listTree(ctx, commit)
	if err != nil {
		return nil, fmt.Errorf("reading what was saved as %s: %w", commit, err)
	}
	blobs := map[string][]byte{}
	err = r.history.eachBlob(ctx, slices.Collect(maps.Values(files)), func(f File, data []byte) error {
		blobs[f.Path] = data
		return nil
	})
	return blobs, err
}

// Has says whether a commit has something at a path, or below it.
func (r *Blobs) Has(ctx context.Context, commit, path string) bool {
	out, err := r.read(ctx, "ls-tree", "--name-only", commit, "--", path)
	return err == nil && len(out) > 0
}

// Contents reads files as they are in a commit, by path. Paths that are no files there are left out.
func (r *History) Contents(ctx context.Context, revision string, paths []string) (map[string][]byte, error) {
	contents := map[string][]byte{}
	if len(paths) == 0 {
		return contents, nil
	}
	all, err := r.listTree(ctx, revision)
	if err != nil {
		return nil, fmt.Errorf("listing the files of %s: %w", revision, err)
	}
	var wanted []File
	for _, p := range paths {
		if f, ok := all[p]; ok && f.Mode != "160000" && f.Mode != "120000" {
			wanted = append(wanted, f)
		}
	}
	return contents, r.eachBlob(ctx, wanted, func(f File, data []byte) error {
		contents[f.Path] = data
		return nil
	})
}

// listTree lists all files of a commit by path; a submodule has the mode 160000.
func (r *History) listTree(ctx context.Context, revision string) (map[string]File, error) {
	out, err := r.read(ctx, "ls-tree", "-r", "-z", "--full-tree", revision)
	if err != nil {
		return nil, err
	}
	files := map[string]File{}
	for _, entry := range split(out, 0) {
		head, name, _ := strings.Cut(entry, "\t")
		if fields := strings.Fields(head); len(fields) == 3 {
			files[name] = File{Path: name, Mode: fields[0], Blob: fields[2]}
		}
	}
	return files, nil
}

// eachBlob reads the files' blobs one after the other through one process.
func (r *History) eachBlob(ctx context.Context, files []File, take func(File, []byte) error) error {
	if len(files) == 0 {
		return nil
	}
	var ids strings.Builder
	for _, f := range files {
		ids.WriteString(f.Blob + "\n")
	}
	out, err := r.answer(ctx, []byte(ids.String()), "cat-file", "--batch")
	if err != nil {
		return err
	}
	from := bufio.NewReader(bytes.NewReader(out))
	for _, f := range files {
		data, err := nextBlob(from)
		if err != nil {
			return fmt.Errorf("reading the blob of %q: %w", f.Path, err)
		}
		if err := take(f, data); err != nil {
			return err
		}
	}
	return nil
}

// nextBlob reads "id type size", the bytes, and a newline.
func nextBlob(from *bufio.Reader) ([]byte, error) {
	var id, kind string
	var size int64
	header, err := from.ReadString('\n')
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Sscan(header, &id, &kind, &size); err != nil {
		return nil, errors.New("git answered " + strings.TrimSpace(header))
	}
	data := make([]byte, size+1)
	_, err = io.ReadFull(from, data)
	return data[:size], err
}
