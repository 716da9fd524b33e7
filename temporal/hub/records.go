package hub

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"autopilot/sessions"
)

// notRecords are the files of a session's folder that belong to the machine: its lock, what is at work now, and answers that wait.
var notRecords = []string{":!/lock", ":!/now.json", ":!/inbox"}

// followsJournal says whether a file of the folder is the journal, or is written beside it. Of progress.txt, a worker that is killed loses
// the lines since the last push.
func followsJournal(path string) bool {
	return strings.HasPrefix(path, sessions.SnapshotName) || strings.HasSuffix(path, "-tasks.json") && !strings.Contains(path, "/") ||
		slices.Contains([]string{sessions.JournalName, "progress.txt", "state.json", "handoff.json"}, path)
}

// asBytes has git keep all files as they are, also in a clone with a sparse checkout.
var asBytes = []string{"-c", "core.autocrlf=false", "-c", "core.attributesFile=" + os.DevNull, "-c", "core.sparseCheckout=false"}

// inFolder runs git on the session's folder, with an index of its own.
func (s *Session) inFolder(ctx context.Context, args ...string) error {
	_, err := s.clone.git.call(ctx, call{args: append(slices.Clone(asBytes), args...), tree: s.Dir(), index: s.clone.index("records")})
	return err
}

// LayOut makes the session's refs and its folder what the hub has; without records there is no folder.
func (s *Session) LayOut(ctx context.Context) error {
	if _, err := s.clone.git.run(ctx, "fetch", "--quiet", "--prune", "--no-tags", "--no-write-fetch-head", ".", "+"+seenRefs(s.slug)+"*:"+refs(s.slug)+"*"); err != nil {
		return fmt.Errorf("laying out the session's refs: %w", err)
	}
	s.given = s.known[RecordsRef(s.slug)]
	if s.given == "" {
		return os.RemoveAll(s.Dir())
	}
	if err := os.MkdirAll(s.Dir(), 0o700); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"read-tree", "--reset", s.given}, {"checkout-index", "--all", "--force", "--quiet"}, {"clean", "-ffdxq", "--exclude=/lock", "--exclude=/inbox"},
	} {
		if err := s.inFolder(ctx, args...); err != nil {
			return fmt.Errorf("laying out the session's folder: %w", err)
		}
	}
	return nil
}

// recorded is a commit of the hub's records with what changed in the folder on top. With spare there is none of the journal alone.
func (s *Session) recorded(ctx context.Context, works map[string]string, spare bool) (string, error) {
	g, there := s.clone.git, s.known[RecordsRef(s.slug)]
	if _, err := os.Stat(s.Dir()); err != nil {
		s.folder, s.journal = s.given, false
		return there, nil //nolint:nilerr // nothing was recorded yet
	}
	if err := s.inFolder(ctx, append([]string{"add", "--all", "--force", "--ignore-errors", "--", "."}, notRecords...)...); err != nil && !someLeft(err) {
		return "", fmt.Errorf("recording the session's folder: %w", err)
	}
	var err error
	if s.folder, err = g.tree(ctx, s.clone.index("records")); err != nil {
		return "", err
	}
	given := s.given
	if given == "" { // the tree without a file
		if given, err = g.run(ctx, "hash-object", "-t", "tree", "-w", "--stdin"); err != nil {
			return "", err
		}
	}
	mine, err := g.differing(ctx, given, s.folder)
	s.journal = len(mine) > 0 && !slices.ContainsFunc(mine, func(e entry) bool { return !followsJournal(e.path) })
	if spare && s.journal {
		return there, err
	}
	if err != nil || len(mine) == 0 && (there == "" || s.names(ctx, works)) {
		return there, err
	}
	if mine, err = s.merged(ctx, given, mine, there); err != nil {
		return "", err
	}
	return s.onTop(ctx, there, mine, works)
}

// onTop is a commit on top of records that has other files; the records themselves, where it has none.
func (s *Session) onTop(ctx context.Context, there string, files []entry, works map[string]string) (string, error) {
	g := s.clone.git
	tree, err := g.overlaid(ctx, s.clone.index("merged"), there, files)
	if err != nil {
		return "", err
	}
	if same, _ := g.run(ctx, "rev-parse", "--verify", "--quiet", there+"^{tree}"); same == tree && s.names(ctx, works) {
		return there, nil
	}
	message := "records of " + s.slug + "\n"
	for task, work := range works {
		message += "\n" + workTrailer + Tree{Task: task}.name() + " " + work
	}
	return commit(ctx, g, tree, message, there)
}

// workTrailer begins a line of a records' commit that names the commit of a working tree.
const workTrailer = "Work: "

// names says whether the records name working trees.
func (s *Session) names(ctx context.Context, works map[string]string) bool {
	if len(works) == 0 {
		return true
	}
	named, err := s.Works(ctx)
	for task, work := range works {
		if named[task] != work {
			return false
		}
	}
	return err == nil
}

// Works are the commits of the working trees as they were recorded last, by task, with "" the run's own.
func (s *Session) Works(ctx context.Context) (map[string]string, error) {
	works := map[string]string{}
	out, err := s.clone.git.run(ctx, "log", "--first-parent", "--format=%B", s.known[RecordsRef(s.slug)])
	for _, line := range lines(out) {
		rest, is := strings.CutPrefix(line, workTrailer)
		name, work, _ := strings.Cut(rest, " ")
		if name == (Tree{}).name() {
			name = ""
		}
		if _, newer := works[name]; is && !newer && s.known[s.workRef(name, work)] == work {
			works[name] = work
		}
	}
	return works, err
}
