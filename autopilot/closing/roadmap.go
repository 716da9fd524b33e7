package closing

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"autopilot/autopilot/commits"
	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/pullrequest"
	"autopilot/autopilot/words"
)

// RoadmapPath is where a repository keeps its roadmap, relative, with slashes.
const RoadmapPath = "docs/roadmap.md"

// Roadmap understands the text of a roadmap. Raise marks the feature of a spec as under way, or as done, and returns
// the text as it was where that would say nothing new; an error says why there is nothing that can be marked. Issue is
// "#12" or "owner/repo#12"; "" where the feature names none. Write replaces the file as a whole.
type Roadmap interface {
	Raise(text []byte, spec string, done bool) ([]byte, error)
	Issue(text []byte, spec string) string
	Write(file string, text []byte) error
}

// FeatureDone says whether the feature of a session's spec is done: the session is, and every phase that the spec has
// is complete or skipped. numbers are those of the spec as it is now; nil is what the session knows.
func FeatureDone(s machine.State, numbers []string) bool {
	finished := map[string]bool{}
	done := s.CurrentState == machine.Done
	for _, p := range s.Phases {
		if p.Gone {
			continue
		}
		finished[p.Number] = p.Status == machine.PhaseDone || p.Status == machine.PhaseSkip
		done = done && finished[p.Number]
	}
	for _, n := range numbers {
		done = done && finished[n]
	}
	return done
}

// syncRoadmap brings the feature of the spec in the repository's roadmap up to date and commits that, and nothing
// else. Where nothing can be updated nothing is touched, and that is said once.
func (c Closing) syncRoadmap(ctx context.Context) error {
	inFlight := c.Commits.Intended() != nil
	old, raised, err := c.raised(ctx, inFlight)
	var not *untouched
	switch {
	case err != nil && !errors.As(err, &not):
		return err
	case not != nil && inFlight:
		return c.Commits.Make(ctx, commits.Order{Kind: "roadmap"}) // it may have been made before the stop
	case not != nil && not.why == "":
		return nil
	case not != nil:
		return c.sayOnce("roadmap.json", "The roadmap was not updated: "+not.why)
	case !inFlight && string(old) == string(raised):
		return nil
	}
	file := filepath.Join(c.Repo.Root(), filepath.FromSlash(RoadmapPath))
	return c.Commits.Make(ctx, commits.Order{
		Kind: "roadmap", Subject: c.roadmapSubject(), Paths: []string{RoadmapPath},
		Write: func() error { return c.Roadmap.Write(file, raised) },
		Undo: func(hook *git.HookError) error {
			if err := c.Roadmap.Write(file, old); err != nil {
				return err
			}
			return c.sayOnce("roadmap.json", "The roadmap was not updated: "+c.Mask.Shorten(c.Mask.Replace(words.OneLine(hook.Error())), 300))
		},
	})
}

func (c Closing) roadmapSubject() string {
	s := c.Journal.State()
	if s.CurrentState == machine.Done {
		return commits.Subject("[autopilot]", fmt.Sprintf("Roadmap: %s is done", pullrequest.Title(s)))
	}
	return commits.Subject(c.Commits.Label(), fmt.Sprintf("Roadmap: %s is in progress", pullrequest.Title(s)))
}

// untouched is why the roadmap stays as it is; "" is that there is none.
type untouched struct{ why string }

func (u *untouched) Error() string { return u.why }

// raised is the roadmap as it is and as it should be. While its commit is in flight the file may hold anything of the
// two, and HEAD decides what it was.
func (c Closing) raised(ctx context.Context, inFlight bool) (old, raised []byte, err error) {
	s, ctx := c.Journal.State(), git.Still(ctx)
	now, err := c.Repo.Tree.Status(ctx)
	if err != nil {
		return nil, nil, err
	}
	if now.Branch != s.Branch && s.Branch != "" {
		return nil, nil, &untouched{fmt.Sprintf("the session's branch %s is not checked out. To update it: git switch %s && autopilot roadmap sync", s.Branch, s.Branch)}
	}
	kept, err := c.Repo.History.Contents(ctx, "HEAD", []string{RoadmapPath})
	if err != nil {
		return nil, nil, err
	}
	old, tracked := kept[RoadmapPath]
	if !inFlight {
		if old, err = c.roadmapOnDisk(ctx, tracked); err != nil {
			return nil, nil, err
		}
	}
	if raised, err = c.Roadmap.Raise(old, s.SpecPath, FeatureDone(s, nil)); err != nil {
		return nil, nil, &untouched{RoadmapPath + ": " + err.Error() + "."}
	}
	return old, raised, nil
}

// roadmapOnDisk reads a roadmap that is the program's to write: tracked, and without changes of a human's.
func (c Closing) roadmapOnDisk(ctx context.Context, tracked bool) ([]byte, error) {
	changed, err := c.Commits.Differing(ctx, RoadmapPath)
	if err != nil {
		return nil, err
	}
	text, err := plainfile.ReadIn(c.Repo.Root(), RoadmapPath)
	switch {
	case err != nil:
		return nil, unread(err)
	case !tracked:
		return nil, &untouched{RoadmapPath + " is not in git. Commit it, then run: autopilot roadmap sync"}
	case len(changed) > 0:
		return nil, &untouched{RoadmapPath + " has uncommitted changes. Commit them, then run: autopilot roadmap sync"}
	}
	return text, nil
}

// unread is why a roadmap stays as it is that could not be read, where a later run could not read it either; else the
// error, and what is to be done with the roadmap is done by the next run.
func unread(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &untouched{} // as in most projects
	case plainfile.Unfit(err):
		return &untouched{err.Error()}
	}
	return fmt.Errorf("reading the roadmap: %w", err)
}

// sayOnce says something that was not the last thing said of its kind, over all runs. name is the file that keeps it.
func (c Closing) sayOnce(name, text string) error {
	var last struct {
		Said string `json:"said"`
	}
	if err := plainfile.ReadJSON(filepath.Join(c.Records.Dir(), name), &last); err == nil && last.Said == text {
		return nil
	}
	c.Journal.Note("info", text)
	last.Said = text
	return c.Records.WriteJSON(name, last)
}

// Issue is what a pull request closes: "#12", or "owner/repo#12" where the roadmap names an issue of another
// repository than the one that is pushed to. "" is none.
func (c Closing) Issue(ctx context.Context, s machine.State) string {
	text, err := plainfile.ReadIn(c.Repo.Root(), RoadmapPath)
	if err != nil {
		return ""
	}
	issue := c.Roadmap.Issue(text, s.SpecPath)
	repo, number, _ := strings.Cut(issue, "#")
	if issue == "" || repo == "" {
		return issue
	}
	if url := c.Repo.Config.RemoteURL(ctx, "origin"); strings.Contains(url, "github.com") && !strings.HasSuffix(strings.TrimSuffix(url, ".git"), repo) {
		return issue
	}
	return "#" + number
}
