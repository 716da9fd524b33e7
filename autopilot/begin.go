package autopilot

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/words"
	"autopilot/autopilot/workspace"
	"autopilot/spec"
)

// Order is what a fresh session is made from.
type Order struct {
	Spec        string // absolute path
	Rigor       machine.Rigor
	ReviewPlans bool
	AllowDirty  bool
	Retries     int
	SessionID   string
	WorkTree    string        // relative to the repository; "" is the repository's own
	Over        machine.State // the unfinished session of this spec that is started over on its branch; without a branch there is none
}

// Begin looks at the spec and the repository and returns the first event of a session, with remarks for people that
// stop nothing. It writes nothing.
func Begin(ctx context.Context, repo *git.Repo, order Order) (machine.Event, []string, error) {
	parsed, rel, slug, err := ReadNewSpec(repo.Root(), order.Spec)
	if err != nil {
		return machine.Event{}, nil, err
	}
	leftOut, err := usersFiles(ctx, repo, order, rel)
	if err != nil {
		return machine.Event{}, nil, err
	}
	s := &machine.State{
		SessionID: order.SessionID, SessionSlug: slug, SessionDir: ".harness/sessions/" + slug, SpecPath: rel,
		Spec:       machine.SpecRef{SHA256: parsed.SHA256, Title: parsed.Title, Criteria: parsed.Criteria},
		RigorLevel: order.Rigor, ReviewPlans: order.ReviewPlans, LeftOut: leftOut, WorkTree: order.WorkTree, Branch: order.Over.Branch, StackedOn: order.Over.StackedOn,
		RetryBudget: machine.RetryBudget{MaxAttempts: order.Retries},
		InFlight:    []machine.InFlight{}, Decisions: []machine.Decision{}, History: []machine.HistoryEntry{}, Tasks: []machine.Task{},
	}
	for _, p := range PhaseTexts(parsed) {
		s.Phases = append(s.Phases, machine.Phase{
			Number: p.Number, Name: p.Name, Complexity: p.Complexity, SpecSHA256: p.SHA256, Status: machine.PhasePending,
		})
	}
	return machine.Event{Type: machine.Created, Initial: s}, remarks(parsed), nil
}

// ReadSpec parses a spec of a repository; rel is its path there, slug the name of its session.
func ReadSpec(root, path string) (parsed *spec.Spec, rel, slug string, err error) {
	src, err := plainfile.Read(path)
	if err != nil {
		return nil, "", "", &halt.UsageError{Message: fmt.Sprintf("can't read the spec: %v\nName an existing Markdown file", err), Err: err}
	}
	if rel, slug, err = Slug(root, path); err != nil {
		return nil, "", "", err
	}
	if parsed, err = spec.Parse(src); err != nil {
		return nil, "", "", &halt.UsageError{Message: fmt.Sprintf("%s: %v", rel, err), Err: err}
	}
	return parsed, rel, slug, nil
}

// ReadNewSpec is ReadSpec for who begins with the spec: nothing in it may look like a phase and not be read as one.
func ReadNewSpec(root, path string) (parsed *spec.Spec, rel, slug string, err error) {
	if parsed, rel, slug, err = ReadSpec(root, path); err != nil {
		return nil, "", "", err
	}
	if err = parsed.Doubt(); err != nil {
		return nil, "", "", &halt.UsageError{Message: fmt.Sprintf("%s: %v", rel, err), Err: err}
	}
	return parsed, rel, slug, nil
}

// Slug is the path of a spec in its repository, with slashes, and the name of its session.
func Slug(root, path string) (rel, slug string, err error) {
	rel, err = filepath.Rel(root, path)
	if err != nil || strings.HasPrefix(rel, "..") {
		return "", "", halt.Usage("%s lies outside the repository %s: move it in, or run autopilot in the repository that it belongs to", path, root)
	}
	rel = filepath.ToSlash(rel)
	if slug, err = spec.SessionSlug(rel); err != nil {
		return "", "", &halt.UsageError{Message: err.Error(), Err: err}
	}
	return rel, slug, nil
}

// PhaseTexts are the phases of a spec as the core takes them.
func PhaseTexts(s *spec.Spec) []machine.PhaseText {
	texts := make([]machine.PhaseText, len(s.Phases))
	for i, p := range s.Phases {
		texts[i] = machine.PhaseText{Number: p.Number, Name: p.Name, Complexity: machine.Complexity(p.Complexity), SHA256: p.SHA256}
	}
	return texts
}

// usersFiles lists what belongs to the user at the start: uncommitted changes refuse it, unless they are allowed;
// files that git does not track are left alone. The spec and autopilot.yaml do not count.
func usersFiles(ctx context.Context, repo *git.Repo, order Order, spec string) ([]string, error) {
	if order.WorkTree != "" {
		return nil, nil // a working tree of its own has nothing of the user's in it
	}
	status, err := repo.Tree.Status(ctx)
	if err != nil {
		return nil, err
	}
	var mine, changed []string
	for _, c := range status.Dirt {
		mine = append(mine, c.Path)
		if (c.Staged || !c.Untracked) && c.Path != spec && c.Path != workspace.ProjectFile {
			changed = append(changed, c.Path)
		}
	}
	if len(changed) > 0 && !order.AllowDirty {
		return nil, halt.Usage("there are uncommitted changes: %s\nCommit or stash them; or let autopilot work beside them with --worktree; or keep them out of its commits with --allow-dirty",
			strings.Join(words.FirstFew(changed, 8), ", "))
	}
	return mine, nil
}

// remarks are what a spec makes worth saying, never refusing.
func remarks(s *spec.Spec) []string {
	var said []string
	for _, w := range s.Warnings {
		said = append(said, w.String())
	}
	return said
}
