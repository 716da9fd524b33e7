package hub

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/sessions"
)

// notRecords are the files of a session's folder that belong to the machine: its lock, what is at work now, and answers that wait.
var notRecords = []string{":!/lock", ":!/now.json", ":!/inbox"}

// asBytes has git keep files as they are.
var asBytes = []string{"-c", "core.autocrlf=false", "-c", "core.attributesFile=" + os.DevNull, "-c", "core.safecrlf=false"}

// inFolder runs git on the session's folder, with an index of its own.
func (s *Session) inFolder(ctx context.Context, stdin string, args ...string) (string, error) {
	return s.clone.git.call(ctx, call{
		args: append(slices.Clone(asBytes), args...), stdin: stdin, tree: s.Dir(), index: filepath.Join(s.clone.Dir, ".git", "autopilot-records.index"),
	})
}

// LayOut makes the session's folder what the hub has; without records there is none.
func (s *Session) LayOut(ctx context.Context) error {
	if s.laid = s.known[RecordsRef(s.slug)]; s.laid == "" {
		return os.RemoveAll(s.Dir())
	}
	if err := os.MkdirAll(s.Dir(), 0o700); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"read-tree", s.laid}, {"checkout-index", "--all", "--force", "--quiet"}, {"clean", "-ffdxq", "--exclude=/lock", "--exclude=/inbox"},
	} {
		if _, err := s.inFolder(ctx, "", args...); err != nil {
			return fmt.Errorf("laying out the session's folder: %w", err)
		}
	}
	return nil
}

// recorded is a commit of the hub's records with what changed in the folder on top.
func (s *Session) recorded(ctx context.Context, works map[string]string) (string, error) {
	there := s.known[RecordsRef(s.slug)]
	if _, err := os.Stat(s.Dir()); err != nil {
		return there, nil //nolint:nilerr // nothing was recorded yet
	}
	mine, err := s.mine(ctx)
	if err != nil || len(mine) == 0 {
		return there, err
	}
	if err := s.merge(ctx, mine, there); err != nil {
		return "", err
	}
	from := []string{"read-tree", "--empty"}
	if there != "" {
		from = []string{"read-tree", there}
	}
	if _, err := s.inFolder(ctx, "", from...); err != nil {
		return "", err
	}
	var entries strings.Builder
	for _, e := range mine {
		fmt.Fprintf(&entries, "%s %s\t%s\x00", e.mode, e.blob, e.path)
	}
	if _, err := s.inFolder(ctx, entries.String(), "update-index", "-z", "--index-info"); err != nil {
		return "", err
	}
	tree, err := s.inFolder(ctx, "", "write-tree")
	if err != nil {
		return "", err
	}
	if same, _ := s.clone.git.run(ctx, "rev-parse", "--verify", "--quiet", there+"^{tree}"); same == tree {
		return there, nil
	}
	message := "records of " + s.slug + "\n"
	for name, work := range works {
		message += "\n" + workTrailer + name + " " + work
	}
	s.gave, err = commit(ctx, s.clone.git, tree, message, there)
	return s.gave, err
}

// workTrailer begins a line of a records' commit that names the commit of a working tree.
const workTrailer = "Work: "

// Works are the commits of the working trees as they were recorded last, by task, with "" the run's own.
func (s *Session) Works(ctx context.Context) (map[string]string, error) {
	works := map[string]string{}
	out, err := s.clone.git.run(ctx, "log", "--first-parent", "--format=%B", "--grep=^"+workTrailer, s.known[RecordsRef(s.slug)])
	for _, line := range lines(out) {
		rest, is := strings.CutPrefix(line, workTrailer)
		name, work, _ := strings.Cut(rest, " ")
		if name == (Tree{}).Name() {
			name = ""
		}
		if _, newer := works[name]; is && !newer && s.known[worksRefs(s.slug)+Tree{Task: name}.Name()+"/"+work[:12]] == work {
			works[name] = work
		}
	}
	return works, err
}

// entry is a file that changed in the folder since it was laid out; of one that is gone the mode is 0.
type entry struct{ mode, blob, path string }

// mine are the files that changed in the folder since it was laid out.
func (s *Session) mine(ctx context.Context) ([]entry, error) {
	if _, err := s.inFolder(ctx, "", append([]string{"add", "--all", "--force", "--", "."}, notRecords...)...); err != nil {
		return nil, fmt.Errorf("recording the session's folder: %w", err)
	}
	base, err := s.orEmpty(ctx, s.laid)
	if err != nil {
		return nil, err
	}
	out, err := s.inFolder(ctx, "", "diff-index", "--cached", "--no-renames", "--raw", "-z", "--no-abbrev", base)
	var all []entry
	for fields := strings.Split(out, "\x00"); len(fields) > 1; fields = fields[2:] {
		at := strings.Fields(strings.TrimPrefix(fields[0], ":")) // modes, blobs, kind
		all = append(all, entry{at[1], at[3], fields[1]})
	}
	return all, err
}

// orEmpty is a commit, or for "" the tree without a file.
func (s *Session) orEmpty(ctx context.Context, commit string) (string, error) {
	if commit != "" {
		return commit, nil
	}
	return s.clone.git.run(ctx, "hash-object", "-t", "tree", "-w", "--stdin")
}

// merge settles the files that another worker changed since this one looked. The journal is the longer one, as one begins with the
// other; texts have the lines of both.
func (s *Session) merge(ctx context.Context, mine []entry, there string) error {
	if there == "" || there == s.laid || there == s.gave {
		return nil
	}
	base, err := s.orEmpty(ctx, cmp.Or(s.gave, s.laid))
	if err != nil {
		return err
	}
	changed, err := s.clone.git.run(ctx, "diff", "--name-only", "--no-renames", "-z", base, there)
	if err != nil {
		return err
	}
	theirs := lines(changed)
	for i, e := range mine {
		if e.mode == gone || !slices.Contains(theirs, e.path) {
			continue
		}
		if mine[i].blob, err = s.both(ctx, e, there); err != nil {
			return err
		}
	}
	return nil
}

// gone is the mode of a file that is no more.
const gone = "000000"

// both is the blob of a file that two workers changed.
func (s *Session) both(ctx context.Context, e entry, there string) (string, error) {
	theirs, none := s.clone.git.run(ctx, "cat-file", "blob", there+":"+e.path)
	ours, err := s.clone.git.run(ctx, "cat-file", "blob", e.blob)
	if err != nil || none != nil {
		return e.blob, errors.Join(err)
	}
	switch ext := path.Ext(e.path); {
	case e.path == sessions.JournalName && len(theirs) > len(ours):
		ours = theirs
	case e.path != sessions.JournalName && (ext == ".md" || ext == ".txt"):
		ours = union(theirs, ours)
	default:
		return e.blob, nil
	}
	return s.clone.git.call(ctx, call{args: append(slices.Clone(asBytes), "hash-object", "-w", "--stdin", "--no-filters"), stdin: ours + "\n"})
}

// union has the lines of a text, and those that another one has besides.
func union(a, b string) string {
	had := strings.Split(a, "\n")
	all := slices.Clone(had)
	for line := range strings.SplitSeq(b, "\n") {
		if !slices.Contains(had, line) {
			all = append(all, line)
		}
	}
	return strings.Join(all, "\n")
}
