package cmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"autopilot/autopilot"
	"autopilot/autopilot/closing"
	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions"
	"autopilot/sessions/roadmap"
	"autopilot/sessions/storage"
)

type roadmapOptions struct {
	host *console.Host

	dryRun bool
}

// roadmapText says what the roadmap looks like.
const roadmapText = "In docs/roadmap.md, a feature is a heading with these list items\n\n" +
	"  - **Status:** planned\n  - **Spec:** docs/spec.md\n\n" +
	"or a row of a table with the columns Feature, Status and Spec."

func newRoadmap(h *console.Host) *cobra.Command {
	o := &roadmapOptions{host: h}
	c := &cobra.Command{
		Use: "roadmap", Short: "Update docs/roadmap.md from the sessions",
		Long:    "Updates the statuses in docs/roadmap.md, a list of features.\n\n" + roadmapText,
		Example: "  autopilot roadmap sync\n  autopilot roadmap sync --dry-run",
	}
	sync := &cobra.Command{
		Use: "sync", Short: "Update the status of each feature whose spec has a session (commits nothing)",
		Long: "Updates the status of each feature whose spec has a session: in progress, or done. It never sets a status back, and\n" +
			"commits nothing.\n\n" + roadmapText,
		Example: "  autopilot roadmap sync\n  autopilot roadmap sync --dry-run", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runRoadmapSync(c.Context(), o) },
	}
	sync.Flags().BoolVar(&o.dryRun, "dry-run", false, "print what would change; write nothing")
	c.AddCommand(sync)
	return c
}

// runRoadmapSync updates the roadmap of the repository that the user stands in. Committing it is the user's.
func runRoadmapSync(ctx context.Context, o *roadmapOptions) error {
	repo, err := app.UserRepoAt(ctx, o.host.Dir, git.Find)
	if err != nil {
		return err
	}
	file := filepath.Join(repo.Root(), filepath.FromSlash(roadmap.RoadmapPath))
	road, err := readRoadmap(repo.Root())
	if err != nil {
		return err
	}
	reached, err := o.reached(repo)
	if err != nil {
		return err
	}
	text, changes, problems := road.Raise(reached, o.host.Now())
	for _, c := range changes {
		fmt.Fprintf(o.host.Out, "%s:%d: %s: %s -> %s\n", roadmap.RoadmapPath, c.Line, console.Clean(c.Name), console.Clean(c.From), console.Clean(c.To))
	}
	for _, p := range problems {
		fmt.Fprintf(o.host.Err, "%s: %s\n", roadmap.RoadmapPath, console.Clean(p.Error()))
	}
	switch {
	case len(changes) == 0:
		fmt.Fprintln(o.host.Out, "Nothing to change.")
		return nil
	case o.dryRun:
		fmt.Fprintln(o.host.Out, "Nothing was written (--dry-run).")
		return nil
	}
	return storage.ReplaceText(o.host.Storage(), file, text)
}

// readRoadmap reads no other file than a run does: a link that leads out of the repository would have a file of somebody
// else changed.
func readRoadmap(root string) (*roadmap.Roadmap, error) {
	text, err := plainfile.ReadIn(root, roadmap.RoadmapPath)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, console.UsageError("there is no %s\nWrite one with a heading for each feature, and below it the fields:\n  - **Status:** planned\n  - **Spec:** docs/spec.md", roadmap.RoadmapPath)
	}
	if err != nil && !plainfile.Unfit(err) {
		return nil, fmt.Errorf("reading the roadmap: %w", err)
	}
	if err != nil {
		return nil, console.UsageError("can't read %s: %v\nReplace it with a plain file, or remove it", roadmap.RoadmapPath, err)
	}
	road, err := roadmap.ParseRoadmap(text)
	if err != nil {
		return nil, console.UsageError("can't read %s: %v\nFix it, then run the same command again", roadmap.RoadmapPath, err)
	}
	return road, nil
}

// reached is how far each session brought its spec. A session whose state cannot be read is said, and says nothing.
func (o *roadmapOptions) reached(repo *git.Repo) (map[string]roadmap.RoadmapStatus, error) {
	all, err := sessions.List(filepath.Join(repo.Root(), ".harness"), app.SessionOptions(o.host))
	reached := map[string]roadmap.RoadmapStatus{}
	for _, s := range all {
		switch {
		case s.Err != nil:
			fmt.Fprintf(o.host.Err, "%s is left out: %s\n", console.Clean(s.Slug), console.Clean(s.Err.Error()))
		case closing.FeatureDone(s.State, phaseNumbers(repo.Root(), s.State.SpecPath)):
			reached[s.State.SpecPath] = roadmap.Finished
		case s.State.CurrentState != machine.Init:
			reached[s.State.SpecPath] = roadmap.InProgress
		}
	}
	return reached, err
}

// phaseNumbers are the phases that a spec has now; nil where it cannot be read any more.
func phaseNumbers(root, rel string) []string {
	parsed, _, _, err := autopilot.ReadSpec(root, filepath.Join(root, filepath.FromSlash(rel)))
	if err != nil {
		return nil
	}
	var numbers []string
	for _, p := range parsed.Phases {
		numbers = append(numbers, p.Number)
	}
	return numbers
}

// roadmaps reads roadmaps for the engine.
type roadmaps struct {
	now  func() time.Time
	disk storage.Disk
}

func (r roadmaps) Write(file string, text []byte) error {
	return storage.ReplaceText(r.disk, file, text)
}

func (r roadmaps) Raise(text []byte, spec string, done bool) ([]byte, error) {
	road, err := roadmap.ParseRoadmap(text)
	if err != nil {
		return nil, err
	}
	reached := roadmap.InProgress
	if done {
		reached = roadmap.Finished
	}
	raised, _, problems := road.Raise(map[string]roadmap.RoadmapStatus{spec: reached}, r.now())
	return raised, errors.Join(problems...)
}

func (r roadmaps) Issue(text []byte, spec string) string {
	road, err := roadmap.ParseRoadmap(text)
	if err != nil {
		return ""
	}
	return road.Issue(spec)
}
