package hub

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
)

// Session is what a clone has of a session.
type Session struct {
	clone *Clone
	slug  string
	known map[string]string // the hub's refs of the session, and its branches, as they were last seen
	laid  string            // the records that the folder was laid out from; "": there were none
	gave  string            // the records that this clone made last
}

// Session fetches what the hub has of a session, and lays out its folder as it is there.
func (c *Clone) Session(ctx context.Context, slug string) (*Session, error) {
	s := &Session{clone: c, slug: slug}
	if err := s.fetch(ctx); err != nil {
		return nil, err
	}
	return s, s.LayOut(ctx)
}

// Here is a session in somebody's own clone, whose folder is left as it is.
func Here(ctx context.Context, dir, slug string, env []string) (*Session, error) {
	s := &Session{clone: &Clone{dir, git{dir, env}}, slug: slug}
	return s, s.fetch(ctx)
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

// Dir is the session's folder.
func (s *Session) Dir() string { return filepath.Join(s.clone.Dir, ".harness", "sessions", s.slug) }

// fetch brings the clone's refs up to date: those of the session, and as remote ones all branches.
func (s *Session) fetch(ctx context.Context) error {
	own := refs(s.slug) + "*"
	if _, err := s.clone.git.run(ctx, "fetch", "--quiet", "--prune", "--no-tags", "origin", "+refs/heads/*:refs/remotes/origin/*", "+"+own+":"+own); err != nil {
		return fmt.Errorf("fetching from the hub: %w", err)
	}
	local, err := s.list(ctx, refs(s.slug), "refs/remotes/origin/")
	if err != nil {
		return err
	}
	s.known = map[string]string{}
	for name, sha := range local {
		s.known[strings.Replace(name, "refs/remotes/origin/", "refs/heads/", 1)] = sha
	}
	return nil
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

// MovedError says that somebody else wrote the run's branch meanwhile.
type MovedError struct{ Ref, Said string }

func (e *MovedError) Error() string {
	return fmt.Sprintf("%s on the hub is not what it was: somebody else pushed to it\n%s", e.Ref, e.Said)
}

// push gives the hub refs, each of which has to be there as it was last seen; "" as a commit deletes one.
func (s *Session) push(ctx context.Context, want map[string]string) error {
	args, n := []string{"push", "--quiet", "--no-verify", "--atomic"}, 0
	var specs []string
	for name, sha := range want {
		if s.known[name] == sha {
			continue
		}
		args = append(args, "--force-with-lease="+name+":"+s.known[name])
		specs = append(specs, sha+":"+name)
		n++
	}
	if n == 0 {
		return nil
	}
	if _, err := s.clone.git.run(ctx, append(append(args, "origin"), specs...)...); err != nil {
		return err
	}
	maps.Copy(s.known, want)
	return nil
}
