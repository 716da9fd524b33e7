package refs

import (
	"flag"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"autopilot/autopilot/git"
)

// misdeeds are things that an agent may do to a repository. Each may fail: that is its own affair.
var misdeeds = [][]string{
	{"commit", "-qam", "agent"},
	{"commit", "-q", "--amend", "-m", "amended"},
	{"add", "-A"},
	{"rm", "-q", "--cached", "a.txt"},
	{"reset", "-q"},
	{"reset", "-q", "--hard"},
	{"reset", "-q", "--hard", "HEAD^"},
	{"reset", "-q", "--soft", "HEAD^"},
	{"stash", "-q"},
	{"stash", "-q", "-u"},
	{"stash", "pop", "-q"},
	{"stash", "drop", "-q"},
	{"clean", "-qfd"},
	{"switch", "-q", "-c", "agent"},
	{"switch", "-q", "-c", "agent/deep"},
	{"switch", "-q", "-f", "other"},
	{"switch", "-q", "--detach"},
	{"branch", "-m", "agent/main"},
	{"branch", "-D", "other"},
	{"branch", "-D", "main"},
	{"tag", "-f", "v1"},
	{"tag", "-d", "v1"},
	{"merge", "-q", "ahead"},
	{"rebase", "-q", "conflict"},
	{"cherry-pick", "ahead"},
	{"checkout", "-q", "."},
	{"update-index", "--assume-unchanged", "b.txt"},
	{"push", "-q", "origin", "HEAD:agent"},
	{"gc", "-q"},
	{"pack-refs", "--all"},
}

// deeds are what a user may do in another working tree at the same time. They concern branches of the user's own, and are
// done under another name than the agent's: the same reset in the same second could not be told apart.
var deeds = [][]string{
	{"switch", "-q", "-c", "user/idea"},
	{"switch", "-q", "-c", "user/start", "ahead"},
	{"switch", "-q", "-C", "user/idea", "ahead"},
	{"switch", "-q", "-"},
	{"switch", "-q", "user/old"},
	{"switch", "-q", "--detach"},
	{"commit", "-q", "--allow-empty", "-m", "user"},
	{"commit", "-q", "--allow-empty", "--amend", "-m", "amended by the user"},
	{"reset", "-q", "--hard", "HEAD^"},
	{"rebase", "-q", "ahead"},
	{"rebase", "-q", "ahead", "user/old"},
	{"merge", "-q", "-m", "merged", "ahead"},
	{"cherry-pick", "--allow-empty", "ahead"},
}

var userFiles = []string{"a.txt", "b.txt", "dir/c.txt", "new", "new\nline", "-dash", "sub/deep"}

// full tells whether to take every row, and as many rounds as .ci/run does: RESUME_FULL=1.
func full() bool { return os.Getenv("RESUME_FULL") == "1" }

// taken says whether a test takes the row of that name: without full one in three, always the same ones.
func taken(name string) bool { return full() || crc32.ChecksumIEEE([]byte(name))%3 == 0 }

func TestWhateverAnAgentDoesCanBePutBack(t *testing.T) {
	userSandbox(t) // builds the template outside of the property
	// A round runs dozens of real git commands; a few are what the time allows, and .ci/run takes more.
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue && !full() {
		if err := checks.Value.Set("4"); err != nil {
			t.Fatal(err)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		s := &sandbox{fataler: rt, dir: filepath.Join(t.TempDir(), "repo")}
		s.must(os.CopyFS(s.dir, os.DirFS(filepath.Join(templates, atWork.name))))
		repo, err := git.Find(t.Context(), s.dir)
		s.must(err)
		s.repo = repo
		for range rapid.IntRange(0, 5).Draw(rt, "dirt") {
			s.edit(rt, "user")
		}
		_, _ = s.try(rapid.SampledFrom([][]string{{"status"}, {"add", "-A"}, {"add", "-u"}}).Draw(rt, "staging")...)
		user := s.contents()
		s.git("branch", "user/old")
		s.git("worktree", "add", "-q", "--detach", s.dir+"-user")
		g, saved := s.guarded(t)
		before := s.standing()

		for range rapid.IntRange(1, 5).Draw(rt, "misdeeds") {
			_, _ = s.try(rapid.SampledFrom(misdeeds).Draw(rt, "misdeed")...)
			s.edit(rt, "agent")
			for range rapid.IntRange(0, 2).Draw(rt, "deeds") {
				_, _ = s.try(append([]string{"-C", s.dir + "-user", "-c", "user.name=user"}, rapid.SampledFrom(deeds).Draw(rt, "deed")...)...)
			}
		}
		theirs := s.git("for-each-ref", usersBranches)
		d, err := Of(repo).Compare(t.Context(), g)
		s.must(err)
		agent := s.contents()
		s.must(Of(repo).PutBack(t.Context(), g, d, keptRef))
		equal(rt, "standing", s.standing(), before)
		equal(rt, "the user's branches", s.git("for-each-ref", usersBranches), theirs)
		equalContents(rt, "the agent's working tree", s.contents(), agent)

		s.must(repo.Files.Restore(t.Context(), saved.Ref, lost(d, saved)))
		now := s.contents()
		for _, f := range saved.Files {
			equal(rt, f.Path, now[f.Path], user[f.Path])
		}
	})
}

// edit writes, links or removes one of the files.
func (s *sandbox) edit(rt *rapid.T, who string) {
	name := rapid.SampledFrom(userFiles).Draw(rt, who+" file")
	s.must(os.RemoveAll(s.path(name)))
	switch rapid.IntRange(0, 3).Draw(rt, who+" edit") {
	case 0:
	case 1:
		s.must(os.MkdirAll(filepath.Dir(s.path(name)), 0o755))
		s.link(who, name)
	default:
		s.write(name, who+rapid.SampledFrom([]string{"\n", "\r\n", "", "\x00"}).Draw(rt, who+" text"))
	}
}

func (s *sandbox) guarded(t *testing.T) (Guard, git.Saved) {
	s.Helper()
	saved, err := s.repo.Files.Save(t.Context(), "refs/autopilot/csv/user/1", "x", nil)
	s.must(err)
	g, err := Of(s.repo).Watch(t.Context(), "refs/autopilot/s/", saved.All())
	s.must(err)
	return g, saved
}

// lost are the saved files that are not as they were.
func lost(d Deviation, saved git.Saved) []string {
	var paths []string
	for _, f := range saved.Files {
		for _, path := range append(d.UserDeleted, d.UserAltered...) {
			if path == f.Path {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// contents is every file outside of .git with what it holds.
func (s *sandbox) contents() map[string]string {
	s.Helper()
	all := map[string]string{}
	s.must(filepath.WalkDir(s.dir, func(name string, entry os.DirEntry, err error) error {
		if entry != nil && entry.IsDir() && entry.Name() == ".git" {
			return filepath.SkipDir
		}
		if err == nil && !entry.IsDir() {
			path, _ := filepath.Rel(s.dir, name)
			all[path] = s.read(path)
		}
		return err
	}))
	return all
}

func equalContents(t fataler, what string, got, want map[string]string) {
	t.Helper()
	for path := range got {
		equal(t, what+": "+path, got[path], want[path])
	}
	equal(t, what+": number of files", len(got), len(want))
}
