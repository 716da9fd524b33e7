package hub

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
)

// Save gives the hub what changed since it was last seen: working trees that were kept, by task with "" the run's own, the session's
// refs, its folder, and a branch, unless that is "". Whatever a later event names is on the hub then, or nothing of it. Errors:
// *MovedError, those of git.
func (s *Session) Save(ctx context.Context, works map[string]string, branch string) error {
	_, err := s.save(ctx, branch, works, false)
	return err
}

// SaveFor is Save before an event. Where nothing changed but the journal, which its other keeper has, the hub does not get it: kept says
// whether it has the journal.
func (s *Session) SaveFor(ctx context.Context, works map[string]string, branch string) (kept bool, err error) {
	return s.save(ctx, branch, works, true)
}

// SaveWork gives the hub a working tree and nothing else, and returns its commit.
func (s *Session) SaveWork(ctx context.Context, t Tree) (string, error) {
	work, err := s.Keep(ctx, t)
	if err != nil {
		return "", err
	}
	return work, s.push(ctx, map[string]string{s.workRef(t.Task, work): work})
}

// SaveRefs gives the hub the session's refs that are at some commits, and nothing else.
func (s *Session) SaveRefs(ctx context.Context, commits []string) error {
	own, err := s.list(ctx, refs(s.slug))
	if err != nil {
		return err
	}
	maps.DeleteFunc(own, func(_, sha string) bool { return !slices.Contains(commits, sha) })
	return s.push(ctx, own)
}

// Settle is Save at a time at which nobody else is at work: what the hub has of other working trees is removed, unless it is to be
// kept.
func (s *Session) Settle(ctx context.Context, works map[string]string, keepOthers bool) error {
	var old []string
	for name := range s.known {
		if !keepOthers && strings.HasPrefix(name, worksRefs(s.slug)) {
			old = append(old, name)
		}
	}
	_, err := s.save(ctx, "", works, false, old...)
	return err
}

// workRef is the ref of a working tree that was kept.
func (s *Session) workRef(task, work string) string {
	return worksRefs(s.slug) + Tree{Task: task}.name() + "/" + work[:12]
}

// save pushes what the hub is to have, without old refs.
func (s *Session) save(ctx context.Context, branch string, works map[string]string, sparing bool, old ...string) (kept bool, err error) {
	err = s.pushing(ctx, branch, func() (map[string]string, error) {
		want, err := s.wanted(ctx, branch)
		if err != nil {
			return nil, err
		}
		for _, name := range old {
			want[name] = ""
		}
		for task, work := range works {
			want[s.workRef(task, work)] = work
		}
		spare := sparing && !s.differs(want)
		want[RecordsRef(s.slug)], err = s.recorded(ctx, works, spare)
		if kept = !spare || !s.journal; err != nil || !kept {
			return nil, err
		}
		return want, s.follows(ctx, branch, want)
	})
	if kept = kept && err == nil; kept {
		s.given = s.folder
	}
	return kept, err
}

// pushing pushes what the hub is to have. Another worker may give it something at the same moment: then that is made again.
func (s *Session) pushing(ctx context.Context, branch string, wanted func() (map[string]string, error)) error {
	for locked := 0; ; {
		want, err := wanted()
		if err != nil {
			return err
		}
		if err = s.push(ctx, want); err == nil {
			return nil
		}
		changed, moved := s.again(ctx, branch, want)
		switch {
		case moved != nil:
			return errors.Join(moved, err)
		case changed: // somebody got something done
		case locked < 20 && strings.Contains(err.Error(), "cannot lock ref"): // somebody is about to
			locked++
		case strings.Contains(err.Error(), "[remote rejected]"):
			return &RefusedError{err}
		default:
			return err
		}
	}
}

// RefusedError says that the hub could be reached and took nothing: a file is too large for it, or holds what it lets nobody push.
type RefusedError struct{ error }

// differs says whether the hub has something else.
func (s *Session) differs(want map[string]string) bool {
	for name, sha := range want {
		if s.known[name] != sha {
			return true
		}
	}
	return false
}

// again looks at the hub after a push failed, and says whether something is different now. Where that is the branch, it is an error.
func (s *Session) again(ctx context.Context, branch string, want map[string]string) (changed bool, moved error) {
	out, err := s.clone.git.run(ctx, "ls-remote", s.clone.remote, refs(s.slug)+"*", MemoryRef, "refs/heads/"+branch)
	if err != nil {
		return false, nil //nolint:nilerr // the push says why
	}
	there := map[string]string{}
	for _, line := range lines(out) {
		sha, name, _ := strings.Cut(line, "\t")
		there[name] = sha
	}
	for name, sha := range want {
		is := there[name]
		switch {
		case is == s.known[name]:
		case is == sha: // the push went through, and its answer was lost
			s.known[name], changed = is, true
		case name == "refs/heads/"+branch:
			return false, &MovedError{Ref: branch}
		case name == RecordsRef(s.slug) || name == MemoryRef:
			if _, err := s.clone.git.run(ctx, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", s.clone.remote, "+"+name+":"+seenRef(name)); err == nil {
				s.known[name], changed = is, true
			}
		case sha != s.known[name]:
			return false, &MovedError{Ref: name}
		}
	}
	return changed, nil
}

// wanted are the refs that the hub is to have beside the records and the working trees.
func (s *Session) wanted(ctx context.Context, branch string) (want map[string]string, err error) {
	ours := func(name string) bool {
		return strings.HasPrefix(name, refs(s.slug)) && !strings.HasPrefix(name, worksRefs(s.slug)) && name != RecordsRef(s.slug)
	}
	want = map[string]string{}
	for name := range s.known {
		if ours(name) {
			want[name] = "" // the step deleted it
		}
	}
	own, err := s.list(ctx, refs(s.slug), "refs/heads/"+branch)
	for name, sha := range own {
		if name == "refs/heads/"+branch || ours(name) {
			want[name] = sha
		}
	}
	return want, err
}
