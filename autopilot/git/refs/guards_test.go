package refs

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"autopilot/autopilot/git"
)

const keptRef = "refs/autopilot/csv/kept/1"

// usersBranches are those on which the user works in another tree meanwhile.
const usersBranches = "refs/heads/user/"

// standing is everything that PutBack has to bring back. Tags and remote-tracking branches are told, and stay.
func (s *sandbox) standing() string {
	s.Helper()
	stash, _ := s.try("stash", "list")
	head, err := s.try("symbolic-ref", "-q", "HEAD")
	if err != nil {
		head = "detached at " + s.head()
	}
	refs := strings.Split(s.git("for-each-ref", "--format=%(refname) %(objectname) %(symref)"), "\n")
	var foreign []string
	for _, ref := range refs {
		stays := slices.ContainsFunc([]string{git.OwnRefs, usersBranches, "refs/tags/", "refs/remotes/"}, func(prefix string) bool { return strings.HasPrefix(ref, prefix) })
		if !stays {
			foreign = append(foreign, ref)
		}
	}
	return strings.Join([]string{head, strings.Join(foreign, "\n"), s.index(), stash}, "\n--\n")
}

// userSandbox has a user at work in it: a stash, a tag, a remote, other branches, a staged and edited file, an edited
// and an untracked one.
func userSandbox(t *testing.T) *sandbox {
	t.Helper()
	return copyOf(t, atWork)
}

var atWork = &template{name: "at-work", build: func(s *sandbox) {
	s.init()
	s.seed()
	s.git("init", "-q", "--bare", "--template=", remote)
	s.git("remote", "add", "origin", remote)
	s.git("push", "-q", "origin", "main")
	s.git("remote", "set-head", "origin", "main")
	s.git("tag", "v1")
	s.write("a.txt", "stashed\n")
	s.git("stash", "-q")
	s.git("switch", "-q", "-c", "ahead")
	s.write("ahead.txt", "ahead\n")
	s.git("add", "-A")
	s.git("commit", "-qm", "ahead")
	s.git("switch", "-q", "-c", "conflict", "main")
	s.git("mv", "run.sh", "fly.sh")
	s.git("commit", "-qm", "conflict")
	s.git("switch", "-q", "main")
	s.git("mv", "run.sh", "walk.sh")
	s.git("commit", "-qm", "second")
	s.git("update-ref", "refs/remotes/origin/old", "HEAD")
	s.git("branch", "other")
	s.write("b.txt", "staged by the user\n")
	s.git("add", "b.txt")
	s.write("b.txt", "edited by the user\n")
	s.write("walk.sh", "edited by the user\n")
	s.write("mine.txt", "the user's\n")
}}

// remote lies within the git folder, so that it is copied together with it.
const remote = ".git/remote.git"

// misbehaviours are what an agent may do to git, and what is made of it.
var misbehaviours = []struct {
	name  string
	do    func(s *sandbox)
	ahead bool
	index bool
	other string // the beginnings of Other, joined
	kept  string // refs under which something was kept
}{
	{name: "only edits", do: func(s *sandbox) { s.write("a.txt", "x\n"); s.write("new", "x\n") }},
	{name: "looks around", do: func(s *sandbox) { s.write("a.txt", "one\n"); s.git("status"); s.git("diff") }},
	{
		name: "commits", do: func(s *sandbox) { s.write("a.txt", "x\n"); s.git("commit", "-qam", "x") },
		ahead: true, index: true, kept: "head heads/main index",
	},
	{name: "stages", do: func(s *sandbox) { s.write("a.txt", "x\n"); s.git("add", "-A") }, index: true, kept: "index"},
	{name: "unstages", do: func(s *sandbox) { s.git("reset", "-q") }, index: true, kept: "index"},
	{name: "hides a file", do: func(s *sandbox) { s.git("update-index", "--assume-unchanged", "a.txt") }, index: true, kept: "index"},
	{name: "deletes the index", do: func(s *sandbox) { s.remove(".git/index") }, index: true, kept: "index"},
	{
		name: "amends", do: func(s *sandbox) { s.git("commit", "-q", "--amend", "-m", "amended") },
		index: false, other: "rewound or rewrote main", kept: "head heads/main",
	},
	{
		name: "rewinds", do: func(s *sandbox) { s.git("reset", "-q", "--soft", "main^") },
		index: false, other: "rewound or rewrote main", kept: "head heads/main",
	},
	{name: "switches", do: func(s *sandbox) { s.git("switch", "-q", "other") }, other: "switched from main to other"},
	{name: "makes a branch and commits", do: func(s *sandbox) {
		s.git("switch", "-q", "-c", "agent/x")
		s.write("new", "x\n")
		s.git("add", "new")
		s.git("commit", "-qm", "x")
	}, index: true, other: "switched from main to agent/x; created refs/heads/agent/x", kept: "head heads/agent/x index"},
	{name: "detaches", do: func(s *sandbox) { s.git("switch", "-q", "--detach") }, other: "switched from main to a detached HEAD"},
	{
		name: "renames the branch", do: func(s *sandbox) { s.git("branch", "-m", "main", "main/x") },
		other: "switched from main to main/x; deleted refs/heads/main; created refs/heads/main/x", kept: "heads/main/x",
	},
	{name: "deletes another branch", do: func(s *sandbox) { s.git("branch", "-D", "other") }, other: "deleted refs/heads/other"},
	{name: "stashes", do: func(s *sandbox) { s.git("stash", "-q") }, index: true, other: "used the stash", kept: "index stash"},
	{name: "drops the stash", do: func(s *sandbox) { s.git("stash", "drop", "-q") }, other: "used the stash"},
	{name: "pops the stash", do: func(s *sandbox) { s.git("stash", "pop", "-q") }, other: "used the stash"},
	{name: "leaves a merge", do: func(s *sandbox) {
		s.git("stash", "-q")
		s.git("stash", "drop", "-q")
		s.git("merge", "-q", "--no-commit", "--no-ff", "ahead")
	}, index: true, other: "left a merge unfinished", kept: "index"},
	{name: "leaves a rebase", do: func(s *sandbox) {
		s.git("stash", "-q")
		s.git("stash", "drop", "-q")
		_, _ = s.try("rebase", "conflict")
	}, index: true, other: "left a rebase unfinished; switched from main to a detached HEAD", kept: "head"},
}

func TestMisbehaviourIsSeenAndUndone(t *testing.T) {
	for _, c := range misbehaviours {
		if !taken(c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := userSandbox(t)
			g, _ := s.guarded(t)
			before := s.standing()
			c.do(s)
			d, err := Of(s.repo).Compare(t.Context(), g)
			s.must(err)
			equal(t, "ahead", d.HeadAhead, c.ahead)
			equal(t, "index", d.IndexChanged, c.index)
			equal(t, "other", cutAtColon(d.Other), c.other)
			equal(t, "mild", d.Mild(), c.other == "")

			files := s.files()
			s.must(Of(s.repo).PutBack(t.Context(), g, d, keptRef))
			equal(t, "standing", s.standing(), before)
			equal(t, "files", s.files(), files)
			equal(t, "kept", s.kept(), c.kept)
			again, err := Of(s.repo).Compare(t.Context(), g)
			s.must(err)
			equal(t, "nothing left", again.HeadAhead || again.IndexChanged || !again.Mild() || len(again.Refs) > 0, false)
			p, err := s.repo.Position(t.Context())
			s.must(err)
			equal(t, "operation", p.Operation, "")
		})
	}
}

func (s *sandbox) kept() string {
	s.Helper()
	var names []string
	for _, name := range strings.Fields(s.git("for-each-ref", "--format=%(refname)", keptRef)) {
		names = append(names, strings.TrimPrefix(name, keptRef+"/"))
	}
	return strings.Join(names, " ")
}

// files is the working tree as it lies on disk.
func (s *sandbox) files() string {
	s.Helper()
	var all []string
	for name := range strings.SplitSeq(s.git("ls-files", "-z", "-c", "-o"), "\x00") {
		if name != "" && s.read(name) != "<none>" {
			all = append(all, name+": "+s.read(name))
		}
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), "")
}

func cutAtColon(list []string) string {
	var cut []string
	for _, text := range list {
		text, _, _ = strings.Cut(text, ": it was at")
		cut = append(cut, text)
	}
	return strings.Join(cut, "; ")
}

func TestFilesOfTheUserThatAreGoneOrAlteredAreNamedAndRecoverable(t *testing.T) {
	s := userSandbox(t)
	s.write("kept.txt", "stays\n")
	g, saved := s.guarded(t)
	s.remove("mine.txt")
	s.write("b.txt", "the agent's\n")
	s.chmod("walk.sh", 0o644)
	d, err := Of(s.repo).Compare(t.Context(), g)
	s.must(err)
	equalList(t, "deleted", d.UserDeleted, "mine.txt")
	equalList(t, "altered", d.UserAltered, "b.txt", "walk.sh")
	equal(t, "none", d.None(), false)
	s.must(s.repo.Files.Restore(t.Context(), saved.Ref, append(d.UserDeleted, d.UserAltered...)))
	d, err = Of(s.repo).Compare(t.Context(), g)
	s.must(err)
	equal(t, "none", d.None(), true)
}

func TestFetchingAndOtherWorkingTreesAreNobodysFault(t *testing.T) {
	s := userSandbox(t)
	elsewhere := t.TempDir() + "/tree"
	s.git("worktree", "add", "-q", elsewhere, "other")
	g, _ := s.guarded(t)

	s.git("-C", elsewhere, "commit", "-q", "--allow-empty", "-m", "the user's, meanwhile")
	s.git("-C", remote, "-c", "user.name=n", "-c", "user.email=e", "tag", "-a", "v9", "-m", "x", "main")
	tip := s.git("-C", remote, "-c", "user.name=n", "-c", "user.email=e", "commit-tree", "-p", "main", "-m", "x", "main^{tree}")
	s.git("-C", remote, "update-ref", "refs/heads/main", tip)
	s.git("-C", remote, "update-ref", "refs/heads/topic", tip)
	s.git("-C", remote, "update-ref", "refs/tags/v10", tip)
	s.git("fetch", "-q", "origin")
	d, err := Of(s.repo).Compare(t.Context(), g)
	s.must(err)
	equalList(t, "other", d.Other)
	equal(t, "none", d.None(), true)

	s.git("commit", "-q", "--allow-empty", "-m", "x")
	s.git("push", "-q", "--force", "origin", "main")
	d, err = Of(s.repo).Compare(t.Context(), g)
	s.must(err)
	equalList(t, "other after a push", d.Other)
	equalList(t, "told after a push", wordsOf(d.Left), "moved refs/remotes/origin/main")

	s.git("push", "-q", "origin", "other")
	d, err = Of(s.repo).Compare(t.Context(), g)
	s.must(err)
	equalList(t, "told of a push by the user", wordsOf(d.Left), "moved refs/remotes/origin/main")
}

func TestDetachedHeadIsPutBack(t *testing.T) {
	s := newSandbox(t)
	s.git("switch", "-q", "--detach")
	g, _ := s.guarded(t)
	before := s.standing()
	s.write("a.txt", "x\n")
	s.git("commit", "-qam", "x")
	s.git("switch", "-q", "-c", "agent")
	d, err := Of(s.repo).Compare(t.Context(), g)
	s.must(err)
	s.must(Of(s.repo).PutBack(t.Context(), g, d, keptRef))
	equal(t, "standing", s.standing(), before)
	equal(t, "file", s.read("a.txt"), "x\n")
}

func TestFirstStashIsTakenAway(t *testing.T) {
	s := newSandbox(t)
	g, _ := s.guarded(t)
	s.write("a.txt", "x\n")
	s.git("stash", "-q")
	d, err := Of(s.repo).Compare(t.Context(), g)
	s.must(err)
	s.must(Of(s.repo).PutBack(t.Context(), g, d, keptRef))
	equal(t, "stash", s.git("stash", "list"), "")
	equal(t, "kept", s.git("show", keptRef+"/stash:a.txt"), "x")
}

func TestGuardWorksInALinkedWorkingTree(t *testing.T) {
	s := newSandbox(t)
	dir := t.TempDir() + "/tree"
	s.must(s.repo.Worktrees.Add(t.Context(), dir, "HEAD"))
	r, err := git.Open(t.Context(), dir)
	s.must(err)
	_, err = r.Refs.CreateBranch(t.Context(), "autopilot/x")
	s.must(err)
	g, err := Of(r).Watch(t.Context(), "refs/autopilot/s/", nil)
	s.must(err)
	s.git("-C", dir, "commit", "-q", "--allow-empty", "-m", "x")
	s.git("commit", "-q", "--allow-empty", "-m", "the user's on main")
	user := s.head()
	d, err := Of(r).Compare(t.Context(), g)
	s.must(err)
	equal(t, "ahead", d.HeadAhead, true)
	equalList(t, "other", d.Other)
	s.must(Of(r).PutBack(t.Context(), g, d, keptRef))
	equal(t, "main", s.head(), user)
	equal(t, "branch", s.git("rev-parse", "autopilot/x"), s.git("rev-parse", "main^"))
}

func TestGuardSurvivesJSONAndAnotherProcess(t *testing.T) {
	s := userSandbox(t)
	if len(weird()) > 8 {
		s.write("latin-\xe9", "x")
	}
	g, _ := s.guarded(t)
	r, err := git.Open(t.Context(), s.dir)
	s.must(err)
	d, err := Of(r).Compare(t.Context(), reread(t, g))
	s.must(err)
	equal(t, "none", d.None(), true)
}

// reread is a guard as another process has it.
func reread(t *testing.T, g Guard) (read Guard) {
	t.Helper()
	data, err := json.Marshal(g)
	if err := errors.Join(err, json.Unmarshal(data, &read)); err != nil {
		t.Fatal(err)
	}
	return read
}

func TestLostCopyIsSaidNotGuessed(t *testing.T) {
	s := newSandbox(t)
	g, _ := s.guarded(t)
	s.git("commit", "-q", "--allow-empty", "-m", "x")
	for _, damage := range []func(string){
		func(name string) { s.must(os.WriteFile(name, []byte("other"), 0o644)) },
		func(name string) { s.must(os.Remove(name)) },
	} {
		damage(Of(s.repo).keptFile(g.Refs))
		_, err := Of(s.repo).Compare(t.Context(), g)
		s.must(err) // the process that made it has it still
		later, err := git.Open(t.Context(), s.dir)
		s.must(err)
		_, err = Of(later).Compare(t.Context(), reread(t, g))
		var lost *KeptLostError
		if !errors.As(err, &lost) || !strings.Contains(err.Error(), "git reflog") {
			t.Fatalf("got %v", err)
		}
	}
}

func TestOnlyTheNewestGuardIsKept(t *testing.T) {
	s := newSandbox(t)
	for range 3 {
		s.git("commit", "-q", "--allow-empty", "-m", "x")
		s.git("tag", "-f", "v1")
		s.guarded(t)
	}
	entries, err := os.ReadDir(s.path(".git/autopilot/kept"))
	s.must(err)
	equal(t, "files", len(entries), 2)
}

func TestLockInTheWayOfPuttingBackIsNamed(t *testing.T) {
	s := newSandbox(t)
	g, _ := s.guarded(t)
	s.write("a.txt", "x\n")
	s.git("add", "a.txt")
	s.write(".git/index.lock", "")
	d, err := Of(s.repo).Compare(t.Context(), g)
	s.must(err)
	err = Of(s.repo).PutBack(t.Context(), g, d, keptRef)
	var lock *git.LockError
	if !errors.As(err, &lock) || lock.File != s.path(".git/index.lock") {
		t.Fatalf("got %v", err)
	}
	s.remove(".git/index.lock")
	s.must(Of(s.repo).PutBack(t.Context(), g, d, keptRef))
	equal(t, "staged", s.git("diff", "--cached", "--name-only"), "")
	equal(t, "refused elsewhere", Of(s.repo).PutBack(t.Context(), g, d, "refs/heads/x") != nil, true)
}
