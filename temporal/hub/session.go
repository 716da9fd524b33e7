package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
)

// Session is what a clone has of a session.
type Session struct {
	clone *Clone
	slug  string
	known map[string]string // the hub's refs of the session, and its branches, as they were last seen

	given  string // the folder as the hub last got it, or it was laid out: a commit or a tree; "" is an empty one
	folder string // its tree as it was last looked at

	journal bool // nothing but the journal, and what follows from it, was different then
}

// Session fetches what the hub has of a session, and lays out its folder and its refs as they are there.
func (c *Clone) Session(ctx context.Context, slug string) (*Session, error) {
	s := &Session{clone: c, slug: slug}
	if err := s.fetch(ctx); err != nil {
		return nil, err
	}
	return s, s.LayOut(ctx)
}

// Here is a session in somebody's own clone, whose folder and refs are left as they are. LayOut makes them those of the hub; without
// it, Save makes the hub's those of the clone.
func Here(ctx context.Context, dir, slug string, env []string) (*Session, error) {
	c := &Clone{Dir: dir, remote: "origin", git: git{dir, withKeepAlive(ctx, dir, env)}}
	folder, err := c.git.run(ctx, "rev-parse", "--absolute-git-dir")
	if err != nil {
		return nil, err
	}
	c.folder = folder
	s := &Session{clone: c, slug: slug}
	err = s.fetch(ctx)
	s.given = s.known[RecordsRef(slug)]
	return s, err
}

// State is the state of the session as the hub has it; an empty one where it has none.
func (s *Session) State(ctx context.Context) (state machine.State, err error) {
	if s.known[RecordsRef(s.slug)] == "" {
		return state, nil
	}
	text, err := s.clone.git.run(ctx, "cat-file", "blob", s.known[RecordsRef(s.slug)]+":"+sessions.SnapshotName)
	if err == nil {
		err = json.Unmarshal([]byte(text), &state)
	}
	return state, err
}

// Standing is how the journal in a clone's folder and the hub's compare. Revisions don't tell: the hub's State may lag behind its journal.
type Standing struct {
	Newer bool                // the hub has events that the clone lacks
	Here  []machine.EventType // of the events that the hub lacks
	Last  machine.EventType   // of the hub's last one
}

// WorkedOn says whether somebody did something here that the hub lacks, more than to take the session up.
func (s Standing) WorkedOn() bool {
	return slices.ContainsFunc(s.Here, func(e machine.EventType) bool { return e != machine.RunStarted && e != machine.SnapshotTaken })
}

// Fetched says whether the working trees were laid out here as the hub has them, which fetch notes right behind the hub's journal.
func (s Standing) Fetched() bool { return len(s.Here) > 0 && s.Here[0] == machine.SnapshotTaken }

// Compare compares the session in the clone's folder with the hub's.
func (s *Session) Compare(ctx context.Context) (st Standing, err error) {
	text, err := s.clone.git.run(ctx, "cat-file", "blob", s.known[RecordsRef(s.slug)]+":"+sessions.JournalName)
	if err != nil {
		return st, err
	}
	own, err := os.ReadFile(filepath.Join(s.Dir(), sessions.JournalName))
	there, here := lines(text), lines(string(own))
	both := 0
	for both < min(len(there), len(here)) && there[both] == here[both] {
		both++
	}
	st.Newer = both < len(there)
	typeOf := func(line string) machine.EventType {
		var e machine.Event
		err = errors.Join(err, json.Unmarshal([]byte(line), &e))
		return e.Type
	}
	for _, line := range here[both:] {
		st.Here = append(st.Here, typeOf(line))
	}
	if len(there) > 0 {
		st.Last = typeOf(there[len(there)-1])
	}
	return st, err
}

// Dir is the session's folder.
func (s *Session) Dir() string { return filepath.Join(s.clone.Dir, ".harness", "sessions", s.slug) }

// fetch looks at the hub: at its refs of the session, at the project's memory, and at all branches. The clone's own stay as they are.
func (s *Session) fetch(ctx context.Context) error {
	seen := map[string]string{"refs/remotes/origin/": "refs/heads/", seenRefs(s.slug): refs(s.slug), seenRef(memoryRefs): memoryRefs}
	args := []string{"fetch", "--quiet", "--prune", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", s.clone.remote}
	for here, there := range seen {
		args = append(args, "+"+there+"*:"+here+"*")
	}
	if _, err := s.clone.git.run(ctx, args...); err != nil {
		return fmt.Errorf("fetching from the remote: %w", err)
	}
	s.known = map[string]string{}
	for here, there := range seen {
		found, err := s.list(ctx, here)
		if err != nil {
			return err
		}
		for name, sha := range found {
			s.known[there+strings.TrimPrefix(name, here)] = sha
		}
	}
	return nil
}

// Objects fetches what the hub's refs of the session are at, and leaves the clone's as they are.
func (s *Session) Objects(ctx context.Context) error {
	_, err := s.clone.git.run(ctx, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", s.clone.remote, "+"+refs(s.slug)+"*:"+seenRefs(s.slug)+"*")
	return err
}

// list lists the clone's refs below some prefixes.
func (s *Session) list(ctx context.Context, prefixes ...string) (map[string]string, error) {
	out, err := s.clone.git.run(ctx, append([]string{"for-each-ref", "--format=%(refname) %(objectname)"}, prefixes...)...)
	all := map[string]string{}
	for _, line := range lines(out) {
		name, sha, _ := strings.Cut(line, " ")
		all[name] = sha
	}
	return all, err
}

// Branch is the commit that the hub has of a branch; "" is none.
func (s *Session) Branch(name string) string { return s.known["refs/heads/"+name] }

// MovedError says that somebody else wrote the run's branch, or another ref of the session, whose name is whole then.
type MovedError struct{ Ref string }

func (e *MovedError) Error() string {
	if strings.HasPrefix(e.Ref, "refs/") {
		return "another worker wrote " + e.Ref + " meanwhile"
	}
	return fmt.Sprintf("the remote's branch %s has commits of somebody else: on a session's branch, push nothing but a plan that it asks for", e.Ref)
}

// RequireCommit is an error where the hub's branch doesn't have a commit that the session made. "" is none.
func (s *Session) RequireCommit(ctx context.Context, branch, commit string) error {
	if commit == "" || s.hasCommit(ctx, branch, commit) {
		return nil
	}
	seen := s.known // of the other refs, what is laid out stays what is known
	err := s.fetch(ctx)
	if tip := s.Branch(branch); err == nil && tip != "" {
		seen["refs/heads/"+branch] = tip
	}
	s.known = seen
	if err != nil || s.hasCommit(ctx, branch, commit) { // it may be newer than what was seen
		return err
	}
	force := ""
	if tip := s.Branch(branch); tip != "" {
		force = fmt.Sprintf("--force-with-lease=%s:%s ", branch, tip)
	}
	return fmt.Errorf("the remote's branch %s doesn't have the session's commit %.12s any more\n  put it back there, from a clone that has it: git push %sorigin %s:refs/heads/%s", branch, commit, force, commit, branch)
}

func (s *Session) hasCommit(ctx context.Context, branch, commit string) bool {
	tip := s.Branch(branch)
	if tip == "" {
		return false
	}
	_, err := s.clone.git.run(ctx, "merge-base", "--is-ancestor", commit, tip)
	return err == nil
}

// follows is a *MovedError where a branch would lose commits that the hub has: the lease alone is no more than that they were seen.
func (s *Session) follows(ctx context.Context, branch string, want map[string]string) error {
	tip, next := s.Branch(branch), want["refs/heads/"+branch]
	if tip == "" || next == "" || tip == next {
		return nil
	}
	_, err := s.clone.git.run(ctx, "merge-base", "--is-ancestor", tip, next)
	if git, is := errors.AsType[*Error](err); is && git.Code == 1 {
		return &MovedError{Ref: branch}
	}
	return err
}

// push gives the hub refs, each of which has to be there as it was last seen; "" as a commit deletes one.
func (s *Session) push(ctx context.Context, want map[string]string) error {
	args := []string{"push", "--quiet", "--no-verify", "--atomic", "--no-follow-tags", "--recurse-submodules=no"}
	var specs []string
	for name, sha := range want {
		if s.known[name] == sha {
			continue
		}
		args = append(args, "--force-with-lease="+name+":"+s.known[name])
		specs = append(specs, sha+":"+name)
	}
	if len(specs) == 0 {
		return nil
	}
	if _, err := s.clone.git.run(ctx, append(append(args, s.clone.remote), specs...)...); err != nil {
		return err
	}
	maps.Copy(s.known, want)
	return nil
}
