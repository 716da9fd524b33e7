package toolbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

type patchArgs struct {
	Patch string `json:"patch"`
}

func (b *Box) applyPatch() Tool {
	return define("apply_patch",
		"Change files, all or none: *** Update File: p (Add, Delete), @@, lines with blank, - or +; or unified diff.",
		schema("patch", "patch:string"),
		func(_ context.Context, a patchArgs) (string, error) {
			files, err := ParsePatch(b.Mask, a.Patch)
			if err != nil {
				return "", err
			}
			return b.tree.apply(files)
		})
}

// outcome is a file as a patch leaves it.
type outcome struct {
	rel     string
	content string
	mode    fs.FileMode // of the file that it was; 0: as usual
	gone    bool
	said    string
}

// apply works all files out before it writes the first.
func (t *Tree) apply(files []filePatch) (string, error) {
	var all []outcome
	for _, f := range files {
		outcomes, err := t.patched(f)
		if err != nil {
			return "", fmt.Errorf("nothing was changed: %w", err)
		}
		for _, o := range outcomes {
			if slices.ContainsFunc(all, func(other outcome) bool { return other.rel == o.rel }) {
				return "", fmt.Errorf("nothing was changed: the patch has %s twice; put its hunks together", o.rel)
			}
		}
		all = append(all, outcomes...)
	}
	var said []string
	for _, o := range all {
		var err error
		if o.gone {
			err = t.root.Remove(o.rel)
		} else {
			err = t.write(o.rel, o.content)
		}
		if err == nil && o.mode != 0 {
			err = t.root.Chmod(o.rel, o.mode)
		}
		if err != nil {
			return "", fmt.Errorf("applying the patch to %s: %w; done before it: %s", o.rel, err, OrNoOutput(strings.Join(said, ", ")))
		}
		said = append(said, o.said)
	}
	return strings.Join(said, "\n"), nil
}

// patched is what becomes of a file, and of the name that it had.
func (t *Tree) patched(f filePatch) ([]outcome, error) {
	rel, err := t.writable(f.Path)
	if err != nil {
		return nil, err
	}
	if f.What == patchAdd {
		if _, err := t.root.Lstat(rel); err == nil {
			return nil, fmt.Errorf("%s is there already; update it, or use write_file", rel)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("looking at %s: %w", rel, err)
		}
		return []outcome{{rel: rel, content: f.Hunks[0].whole(), said: "added " + rel}}, nil
	}
	text, err := t.text(rel)
	if err != nil {
		return nil, err
	}
	if f.What == patchDelete {
		return []outcome{{rel: rel, gone: true, said: "deleted " + rel}}, nil
	}
	changed, err := f.Update(text)
	if err != nil || f.to == "" {
		return []outcome{{rel: rel, content: changed, said: fmt.Sprintf("updated %s, %d hunks", rel, len(f.Hunks))}}, err
	}
	to, err := t.writable(f.to)
	if err != nil {
		return nil, err
	}
	if _, err := t.root.Lstat(to); err == nil {
		return nil, fmt.Errorf("%s is there already; nothing is moved onto it", to)
	}
	info, err := t.root.Stat(rel)
	if err != nil {
		return nil, fmt.Errorf("looking at %s: %w", rel, err)
	}
	return []outcome{{rel: to, content: changed, mode: info.Mode().Perm(), said: "moved " + rel + " to " + to}, {rel: rel, gone: true, said: "deleted " + rel}}, nil
}

// whole is a new file: its lines, without blank ones that only part it from what follows.
func (h hunk) whole() string {
	lines := h.without(h.blanks).New
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// Update puts the hunks into a text, in their order.
func (f filePatch) Update(text string) (string, error) {
	plain, ends := parted(text)
	lines := strings.Split(plain, "\n")
	from, moved := 0, 0
	for i, h := range f.Hunks {
		h, at, err := h.fit(lines, from, moved)
		if err != nil {
			return "", fmt.Errorf("hunk %d of %s %w", i+1, f.Path, err)
		}
		ends = slices.Replace(ends, at, at+len(h.Old), h.ends(ends, at)...)
		lines = slices.Replace(lines, at, at+len(h.Old), h.New...)
		from, moved = at+len(h.New), moved+len(h.New)-len(h.Old)
	}
	return joined(strings.Join(lines, "\n"), ends), nil
}

// fit finds where a hunk belongs. Blank lines at its end may only part it from
// what follows in the patch: where they do not fit, it goes without them.
func (h hunk) fit(lines []string, from, moved int) (hunk, int, error) {
	if h.blanks == len(h.Old) { // it only adds
		h = h.without(h.blanks)
	}
	at, err := h.find(lines, from, moved)
	for shorter := 1; err != nil && shorter <= h.blanks; shorter++ {
		tried := h.without(shorter)
		if at, err := tried.find(lines, from, moved); err == nil {
			return tried, at, nil
		}
	}
	return h, at, err
}

// without leaves lines out at the end, which stay as they are.
func (h hunk) without(n int) hunk {
	h.Old, h.New, h.blanks = h.Old[:len(h.Old)-n], h.New[:len(h.New)-n], h.blanks-n
	return h
}

// find gives the index of the line where a hunk belongs. The lines decide; a
// number, which models often get wrong, only chooses among several places.
func (h hunk) find(lines []string, from, moved int) (int, error) {
	if at := slices.IndexFunc(lines[from:], func(l string) bool { return strings.TrimSpace(l) == h.anchor }); h.anchor != "" && at >= 0 {
		from += at + 1
	}
	if len(h.Old) == 0 {
		return h.insertion(lines, from, moved), nil
	}
	places := h.places(lines, from, func(s string) string { return s })
	if len(places) == 0 {
		places = h.places(lines, from, func(s string) string { return strings.TrimRight(s, " \t\r") })
	}
	switch {
	case len(places) == 0:
		return 0, fmt.Errorf("does not fit: its lines do not stand there in this order%s", nearest(h.mask, strings.Join(lines, "\n"), strings.Join(h.Old, "\n")))
	case h.near > 0:
		wanted := h.near - 1 + moved
		return slices.MinFunc(places, func(a, b int) int { return distance(a, wanted) - distance(b, wanted) }), nil
	case len(places) > 1 && h.anchor == "":
		return 0, fmt.Errorf("fits in %d places; give more of the lines around it", len(places))
	}
	return places[0], nil
}

func (h hunk) places(lines []string, from int, as func(string) string) []int {
	var out []int
	for at := from; at+len(h.Old) <= len(lines); at++ {
		if slices.EqualFunc(lines[at:at+len(h.Old)], h.Old, func(a, b string) bool { return as(a) == as(b) }) {
			out = append(out, at)
		}
	}
	return out
}

// insertion is where lines go that stand beside none: after the line that is
// named, below the anchor, else at the end.
func (h hunk) insertion(lines []string, from, moved int) int {
	end := len(lines)
	if end > 0 && lines[end-1] == "" { // behind the last line break
		end--
	}
	switch {
	case h.near > 0:
		return min(max(h.near+moved, from), end)
	case h.anchor != "":
		return from
	}
	return end
}

func distance(a, b int) int { return max(a-b, b-a) }
