package workspace

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/git"
	"autopilot/autopilot/git/refs"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/steering"
)

// RepoSnapshot is the repository, and what a persona has no business with, as they were before a dispatch. It can be written
// as JSON, so that a later process can still compare.
type RepoSnapshot struct {
	Saved    git.Saved                  `json:"saved"` // the user's uncommitted files
	Guard    refs.Guard                 `json:"guard"`
	Control  map[string][]byte          `json:"control"`
	Hidden   map[string]*plainfile.Held `json:"hidden"` // files that git ignores and tests are steered by
	Steering steering.Snapshot          `json:"steering"`
	Common   string                     `json:"common,omitempty"` // the folder of the repository's git files, as Control names files by whole paths
	Home     *Home                      `json:"-"`                // nil after a kill: what changed between runs is the user's
}

// MovedTo names the control files as they are now, where a folder around them was renamed since: common is where the
// repository's git files lie.
func (w *RepoSnapshot) MovedTo(common string) {
	from, to := w.Common, common
	for from != "" && from != to && filepath.Base(from) == filepath.Base(to) && filepath.Dir(from) != from {
		from, to = filepath.Dir(from), filepath.Dir(to)
	}
	if from == "" || from == to {
		return
	}
	moved := map[string][]byte{}
	for path, text := range w.Control {
		if rest, below := strings.CutPrefix(path, from+string(filepath.Separator)); below {
			path = filepath.Join(to, rest)
		}
		moved[path] = text
	}
	w.Control, w.Common = moved, common
}

// RepoGuard looks after the repository during one dispatch.
type RepoGuard struct {
	Repo     *git.Repo
	Dispatch string   // its id
	Kept     string   // the ref below which is kept what is put back
	Who      string   // whose deeds they are, as sentences begin: "the agent"
	Control  []string // files that decide how the program works, see ControlFiles; folders end with a slash
	Home     string   // root of the repository's own working tree, where Repo may be another; "": Repo's
	// Ended is when nothing of a dispatch was left whose run was killed; zero: not known. What came later is the user's.
	Ended time.Time
	// Unclear says that the dispatch was cut off, and nobody knows when: what was done may be the user's.
	Unclear bool
	// Blame says, of what all working trees share, how much it weighs and who it was, where others are at work as well.
	Blame func() (severity, who string)
	// Lenient leaves new refs, and a stash, where they are: they may be those of somebody who works beside the agents.
	Lenient bool
	// Mask takes secrets out of what is shown of the user's files; nil: it knows of none.
	Mask func(string) string
}

// ProjectFile is the configuration. What an agent does to it is put back after its dispatch, so a change that stands
// there is a human's, who may need it to go on.
const ProjectFile = "autopilot.yaml"

// ControlFiles are those of a project: root is where it lies, harness the folder .harness.
func ControlFiles(root, harness string) []string {
	return []string{
		filepath.Join(root, ProjectFile), filepath.Join(filepath.Dir(harness), ProjectFile), filepath.Join(harness, "init.sh"),
		filepath.Join(harness, "validate.d") + "/", filepath.Join(harness, "personas") + "/",
	}
}

// Capture remembers where everything stands, right before the dispatch. Saved are the user's uncommitted files.
func (g RepoGuard) Capture(ctx context.Context, saved git.Saved) (was RepoSnapshot, err error) {
	if was, err = g.Read(); err != nil {
		return was, err
	}
	was.Saved, was.Home = saved, ReadHome(g.Repo.Config.UserFiles())
	if was.Hidden, err = Hidden(ctx, g.Repo); err != nil {
		return was, err
	}
	was.Guard, err = refs.Of(g.Repo).Watch(ctx, path.Dir(path.Dir(g.Kept)), saved.All())
	return was, err
}

// Read reads the files that decide how the program works and how git does.
func (g RepoGuard) Read() (was RepoSnapshot, err error) {
	if was.Control, err = g.control(); err != nil {
		return was, err
	}
	was.Common = g.Repo.CommonDir()
	was.Steering, err = steering.Files{Repo: g.Repo}.Read()
	return was, err
}

// Restore makes everything what it was, and tells what was not: critical is what an agent has no reason to do. The
// working tree stays as it is, but for the user's files that are gone.
func (g RepoGuard) Restore(ctx context.Context, was RepoSnapshot) ([]machine.Finding, error) {
	var ran []machine.Finding
	var err error
	if g.Ended.IsZero() { // else the user may have changed it since
		ran, err = g.PutProgramsBack(ctx, was)
	}
	if err != nil {
		return ran, err
	}
	locks, err := g.RemoveLocks(ctx, was)
	if ran = append(ran, locks...); err != nil {
		return ran, err
	}
	unseen, broken := Hidden(ctx, g.Repo) // before git is made to see them again
	present, err := g.control()
	if err != nil {
		return nil, err
	}
	if err := g.Accept(ctx, &was, present, unseen); err != nil {
		return nil, fmt.Errorf("telling the user's deeds from the agent's: %w", err)
	}
	found, err := g.PutSteeringBack(ctx, was)
	if found = append(ran, found...); err != nil {
		return found, err
	}
	changed, err := g.PutControlBack(was.Control, present)
	for _, c := range changed {
		found = append(found, g.TellControl(c))
	}
	if err == nil && broken != nil {
		unseen, err = Hidden(ctx, g.Repo)
	}
	if err != nil {
		return found, err
	}
	steered, _, err := g.PutHiddenBack(ctx, was.Hidden, unseen)
	if found = append(found, steered...); err != nil {
		return found, err
	}
	done, deviation, err := g.PutGitBack(ctx, was.Guard)
	if found = append(found, done...); err != nil {
		return found, err
	}
	return append(found, g.RestoreUserFiles(ctx, was.Saved, deviation.UserDeleted, deviation.UserAltered)...), nil
}

// Accept takes what came after the dispatch had ended for what it must leave as it is.
func (g RepoGuard) Accept(ctx context.Context, was *RepoSnapshot, control map[string][]byte, hidden map[string]*plainfile.Held) error {
	if g.Ended.IsZero() {
		return nil
	}
	now, err := steering.Files{Repo: g.Repo}.Read()
	if err != nil {
		return err
	}
	was.Control = younger(was.Control, control, g.Ended, func(path string) string { return path })
	was.Hidden = younger(was.Hidden, hidden, g.Ended, func(path string) string { return InTree(g.Repo.Root(), path) })
	was.Steering.Shared = younger(was.Steering.Shared, now.Shared, g.Ended, func(name string) string { return InTree(g.Repo.CommonDir(), name) })
	was.Steering.Own = younger(was.Steering.Own, now.Own, g.Ended, func(name string) string { return InTree(g.Repo.GitDir(), name) })
	return refs.Of(g.Repo).Accept(ctx, &was.Guard, g.Ended)
}

// younger puts what changed after a time in place of what was there before.
func younger[T any](was, now map[string]T, than time.Time, path func(string) string) map[string]T {
	was = maps.Clone(was)
	for name, value := range now {
		if was != nil && plainfile.ChangedAfter(path(name), than) {
			was[name] = value
		}
	}
	return was
}

// control reads the control files.
func (g RepoGuard) control() (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, path := range g.Control {
		var err error
		if dir, folder := strings.CutSuffix(path, "/"); folder {
			err = RememberAll(files, dir, nil)
		} else {
			err = Remember(files, path)
		}
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// PutSteeringBack puts back what steers git: behind it a file could be hidden from the diff, and what is validated would
// depend on what nobody commits or reviews.
func (g RepoGuard) PutSteeringBack(ctx context.Context, was RepoSnapshot) ([]machine.Finding, error) {
	changed, err := steering.Files{Repo: g.Repo}.PutBack(ctx, was.Steering, was.Guard.Head, g.undone())
	found := append(g.tellSteering(changed), g.tellHome(was.Home)...)
	if err != nil || was.Steering.Own == nil { // the working tree of the dispatch is gone, and its index too
		return found, err
	}
	mended, err := refs.Of(g.Repo).PutBrokenIndexBack(ctx, was.Guard)
	if mended {
		found = append(found, Integrity(machine.Critical, g.Who+" broke git's index", "it was put back as it was", ".git/index"))
	}
	return found, err
}

// RemoveLocks removes what a git that ended with its agent left in the way of the next one.
func (g RepoGuard) RemoveLocks(ctx context.Context, was RepoSnapshot) ([]machine.Finding, error) {
	locks, err := g.Repo.RemoveLocks(ctx, was.Guard.Locks)
	var found []machine.Finding
	for _, lock := range locks {
		file := g.named(lock)
		found = append(found, Integrity(machine.Suggestion, "a git of the agent was killed and left a lock: "+file, "it was removed", file))
	}
	return found, err
}

// PutProgramsBack is the part of it that has to come before git looks at the working tree.
func (g RepoGuard) PutProgramsBack(ctx context.Context, was RepoSnapshot) ([]machine.Finding, error) {
	changed, err := steering.Files{Repo: g.Repo}.PutProgramsBack(ctx, was.Steering, was.Guard.Head, g.undone())
	return g.tellSteering(changed), err
}

// tellSteering says what was put back. What people and tools set by habit is nobody's fault, and of no harm once it is put back.
func (g RepoGuard) tellSteering(changed []steering.Change) []machine.Finding {
	var found []machine.Finding
	for _, c := range changed {
		severity, who := g.blame()
		what, why := " changed what decides how git sees the repository: .git/", "it was put back; what was there is kept in "+g.undone()
		switch c.Verdict {
		case steering.Habit:
			severity, what, why = machine.Suggestion, " changed git's settings: .git/", "it was put back. To let it stay: "+KeepSetting(c)
		case steering.Identity:
			severity, what = machine.Important, " changed under whose name git commits: .git/"
		}
		found = append(found, Integrity(severity, who+what+c.Name, why, ".git/"+fileOf(c.Name)))
	}
	return found
}

// KeepSetting is the line of the configuration by which changes of what steers git stay.
func KeepSetting(changes ...steering.Change) string {
	var patterns []string
	for _, c := range changes {
		if pattern := fmt.Sprintf("%q", c.Pattern()); !slices.Contains(patterns, pattern) {
			patterns = append(patterns, pattern)
		}
	}
	return fmt.Sprintf("git: {keep: [%s]} in %s", strings.Join(patterns, ", "), ProjectFile)
}

// tellHome tells of the user's own files, which stay as they are: it may be the user who changed them.
func (g RepoGuard) tellHome(was *Home) []machine.Finding {
	var found []machine.Finding
	for _, c := range was.changed() {
		if g.Mask != nil {
			c.difference = g.Mask(c.difference)
		}
		f := Integrity(machine.Important, "a file in your home changed while an agent was at work",
			"autopilot leaves it as it is and does not read it again in this run. If you did not change it, restore it before you use git or a shell:\n"+c.difference, c.path)
		f.Outside = true
		found = append(found, f)
	}
	return found
}

// named is the path of a control file for people. In a working tree of its own it may lie beside that.
func (g RepoGuard) named(path string) string {
	return plainfile.RelTo(path, g.Repo.Root(), cmp.Or(g.Home, g.Repo.Root()))
}

// changedControl is the finding of a control file that was put back.
func (g RepoGuard) changedControl(path string) machine.Finding {
	severity, who := g.blame()
	file := g.named(path)
	return Integrity(severity, who+" changed a file that controls the run: "+file, "it was put back; the changed version is kept in "+g.undone(), file)
}

// TellControl is the finding of a control file that was put back; who removed it may not be known.
func (g RepoGuard) TellControl(c changedFile) machine.Finding {
	if !c.unclear {
		return g.changedControl(c.Path)
	}
	file := g.named(c.Path)
	return Integrity(machine.Important, "a file that controls the run was removed, by the agent or by somebody after the run was killed: "+file,
		"it was put back; who removed it can't be known", file)
}

// undone is the folder in which files are kept that were put back.
func (g RepoGuard) undone() string {
	return filepath.Join(g.Repo.CommonDir(), "autopilot", undoneName, g.Dispatch)
}

func (g RepoGuard) blame() (severity, who string) {
	if g.Blame == nil {
		return machine.Critical, g.Who
	}
	return g.Blame()
}

// Integrity is a finding of what was put right.
func Integrity(severity, title, rationale, file string) machine.Finding {
	return machine.Finding{Severity: severity, Title: title, Rationale: rationale, File: file, Source: "integrity"}
}

// OneLine is a finding of what was put right, as one line for people.
func OneLine(f machine.Finding) string {
	text := f.Title
	if f.File != "" && !strings.Contains(f.Title, f.File) {
		text += ": " + f.File
	}
	return WithRationale(text, f)
}

// WithRationale adds to the words of a finding why, or where what was put right is kept.
func WithRationale(text string, f machine.Finding) string {
	if f.Rationale == "" {
		return text
	}
	return text + "; " + f.Rationale
}

// fileOf is the file of "config (core.hookspath)".
func fileOf(name string) string {
	file, _, _ := strings.Cut(name, " (")
	return file
}
