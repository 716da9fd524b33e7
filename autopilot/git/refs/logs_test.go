package refs

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"autopilot/autopilot/git"
)

// pair is a repository with two working trees: a lane that a guard watches, and the main one, in which the user works.
type pair struct {
	*sandbox
	lane string    // the linked tree's folder; its branch is lane/one
	repo *git.Repo // the linked tree
}

func newPair(t *testing.T) *pair {
	t.Helper()
	s := copyOf(t, branched)
	dir := s.path(".harness/worktrees/one")
	lane, err := s.repo.Worktrees.AddBranch(t.Context(), dir, "lane/one", s.head())
	s.must(err)
	return &pair{s, dir, lane}
}

// branched has beside main the branches feature and ahead, each one commit ahead of the one before.
var branched = &template{name: "branched", build: func(s *sandbox) {
	s.init()
	s.seed()
	for _, name := range []string{"feature", "ahead"} {
		s.git("switch", "-q", "-c", name)
		s.git("commit", "-q", "--allow-empty", "-m", name)
	}
	s.git("switch", "-q", "main")
}}

// user and agent run git commands, given as one line each, in the main tree and in the lane.
func (p *pair) user(lines ...string)  { p.Helper(); p.each(p.dir, lines) }
func (p *pair) agent(lines ...string) { p.Helper(); p.each(p.lane, lines) }

func (p *pair) each(dir string, lines []string) {
	p.Helper()
	for _, line := range lines {
		p.git(append([]string{"-C", dir}, strings.Fields(line)...)...)
	}
}

func (p *pair) watch(t *testing.T, r *git.Repo) Guard {
	p.Helper()
	g, err := Of(r).Watch(t.Context(), "refs/autopilot/s/", nil)
	p.must(err)
	return g
}

// settle compares, puts back, and tells what was found about refs.
func (p *pair) settle(t *testing.T, r *git.Repo, g Guard) string {
	p.Helper()
	d, err := Of(r).Compare(t.Context(), g)
	p.must(err)
	if !d.None() {
		p.must(Of(r).PutBack(t.Context(), g, d, keptRef))
	}
	return strings.Join(d.Shared, "; ")
}

// branches is where the branches stand.
func (p *pair) branches() string {
	p.Helper()
	return p.git("for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads/")
}

const commit = "commit -q --allow-empty -m x"

// usersWork is what a user may do in a working tree beside the guarded one; it ends on another branch.
var usersWork = map[string][]string{
	"commits on another branch":   {"switch -q feature", commit, commit, "switch -q main"},
	"makes a branch":              {"switch -q -c idea", "switch -q main"},
	"makes a branch and commits":  {"switch -q -c idea", commit, "checkout -q main"},
	"makes it first, then visits": {"branch idea", "-c user.name=Later checkout -q idea", commit, "switch -q main"},
	"makes one of a detached":     {"switch -q --detach feature", commit, "switch -q -c idea", "switch -q main"},
	"begins an orphan":            {"switch -q --orphan idea", commit, "switch -q main"},
	"amends":                      {"switch -q feature", commit + " --amend", "switch -q main"},
	"resets":                      {"switch -q feature", "reset -q --hard HEAD^", "switch -q main"},
	"there and back, and on":      {"switch -q feature", commit, "reset -q --hard HEAD^", commit + "y", "switch -q main"},
	"merges":                      {"switch -q feature", "merge -q ahead", "switch -q main"},
	"rebases":                     {"switch -q feature", commit, "rebase -q --onto main HEAD^", "switch -q main"},
	"rebases from elsewhere":      {"rebase -q ahead feature", "switch -q main"},
	"begins a branch anew":        {"switch -q -C feature ahead", commit, "switch -q main"},
	"packs the refs afterwards":   {"switch -q feature", commit, "switch -q main", "pack-refs --all"},
}

func TestBranchesTheUserMovedInAnotherTreeStay(t *testing.T) {
	for name, work := range usersWork {
		if !taken(name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPair(t)
			g := p.watch(t, p.repo)
			before := p.branches()
			p.user(work...)
			after := p.branches()
			equal(t, "something happened", after != before, true)
			equal(t, "found", p.settle(t, p.repo, g), "")
			equal(t, "branches", p.branches(), after)
			equal(t, "kept", p.kept(), "")
		})
	}
}

func TestBranchesTheUserMovedInALinkedTreeStay(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	g := p.watch(t, p.sandbox.repo)
	p.agent("switch -q feature", commit, "switch -q -c idea", commit, "switch -q lane/one")
	after := p.branches()
	equal(t, "found", p.settle(t, p.sandbox.repo, g), "")
	equal(t, "branches", p.branches(), after)
}

// What an agent does in its own tree, or in none, is found whatever somebody does in another tree meanwhile.
func TestWhatIsNotDoneInAnotherTreeIsPutBack(t *testing.T) {
	// Another name stands for another moment, which a test does not wait for.
	visit := []string{"-c user.name=Later switch -q feature", "switch -q main"}
	for name, c := range map[string]struct {
		user, agent, then []string
		found, kept       string
	}{
		"commits on another branch": {
			visit,
			[]string{"switch -q feature", commit, "switch -q lane/one"},
			visit,
			"moved refs/heads/feature", "heads/feature",
		},
		"makes a branch": {
			nil,
			[]string{"switch -q -c idea", commit, "switch -q lane/one"},
			[]string{"switch -q idea", "switch -q main"},
			"created refs/heads/idea", "heads/idea",
		},
		"moves a ref that the user looks at": {
			nil,
			[]string{"update-ref refs/heads/feature main"},
			visit,
			"moved refs/heads/feature", "heads/feature",
		},
		"moves it to where the user is": {
			nil,
			[]string{"switch -q --detach feature", commit, "branch -f feature HEAD", "switch -q lane/one"},
			visit,
			"moved refs/heads/feature", "heads/feature",
		},
		"makes one where the user resets to it": {
			nil,
			[]string{"branch idea feature"},
			[]string{"reset -q --hard idea", "reset -q --hard HEAD^"},
			"created refs/heads/idea", "heads/idea",
		},
		"copies what the user made": {
			[]string{"switch -q -c idea", commit, "switch -q main"},
			[]string{"branch -c idea copied"},
			nil,
			"created refs/heads/copied", "heads/copied",
		},
		"makes tags and deletes": {
			[]string{"switch -q feature", "tag visited", "switch -q main"},
			[]string{"branch -D feature"},
			nil,
			"deleted refs/heads/feature", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPair(t)
			g := p.watch(t, p.repo)
			p.user(c.user...)
			before := p.git("for-each-ref", "refs/heads/")
			p.agent(c.agent...)
			p.user(c.then...)
			equal(t, "found", p.settle(t, p.repo, g), c.found)
			equal(t, "branches", p.git("for-each-ref", "refs/heads/"), before)
			equal(t, "kept", p.kept(), c.kept)
		})
	}
}

func TestWhatAnAgentDidToTheUsersNewCommitsIsTakenBackToThem(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	g := p.watch(t, p.repo)
	p.user("switch -q feature", commit, "switch -q -c idea", commit, "switch -q main")
	users := p.branches()
	p.agent("update-ref refs/heads/feature main", "update-ref refs/heads/idea main")
	equal(t, "found", p.settle(t, p.repo, g), "moved refs/heads/feature; moved refs/heads/idea")
	equal(t, "branches", p.branches(), users)
	equal(t, "found again", p.settle(t, p.repo, g), "")
}

func TestMoveByHandIsNotHiddenByWhatTheUserDoesNext(t *testing.T) {
	for name, first := range map[string][]string{"at once": nil, "after a commit": {"switch -q feature", commit, "switch -q main"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPair(t)
			g := p.watch(t, p.repo)
			p.user(first...)
			users := p.branches()
			p.write(".git/refs/heads/feature", p.head()+"\n")
			p.user("switch -q feature", commit, "switch -q main")
			equal(t, "found", p.settle(t, p.repo, g), "moved refs/heads/feature")
			equal(t, "branches", p.branches(), users)
		})
	}
}

func TestLogsThatWereWrittenByHandDoNoHarm(t *testing.T) {
	for name, to := range map[string]string{"deleted": strings.Repeat("0", 40), "no object": strings.Repeat("1", 40), "no id": "--all"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPair(t)
			g := p.watch(t, p.repo)
			before := p.branches()
			line := p.git("rev-parse", "feature") + " " + to + " Eve <e> 1 +0000\tcommit: x\n"
			for _, log := range []string{".git/logs/HEAD", ".git/logs/refs/heads/feature"} {
				p.write(log, p.read(log)+line)
			}
			p.agent("update-ref refs/heads/feature main")
			equal(t, "found", p.settle(t, p.repo, g), "moved refs/heads/feature")
			equal(t, "branches", p.branches(), before)
		})
	}
}

func TestWithoutTheLogOfAnotherTreeTheGuardIsAsStrictAsEver(t *testing.T) {
	for name, c := range map[string]struct {
		after func(p *pair)
		guard func(g *Guard)
	}{
		"log of the tree gone":    {after: func(p *pair) { p.remove(".git/logs/HEAD") }},
		"log of the tree expired": {after: func(p *pair) { p.git("reflog", "expire", "--expire=all", "HEAD") }},
		"no lengths remembered":   {guard: func(g *Guard) { g.Logs = nil }},
		"a length that cannot be": {guard: func(g *Guard) { g.Logs["logs/HEAD"] = -1 }},
	} {
		if !taken(name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPair(t)
			g := p.watch(t, p.repo)
			if c.guard != nil {
				c.guard(&g)
			}
			before := p.branches()
			p.user("switch -q feature", commit, "switch -q main")
			if c.after != nil {
				c.after(p)
			}
			equal(t, "found", p.settle(t, p.repo, g), "moved refs/heads/feature")
			equal(t, "branches", p.branches(), before)
			equal(t, "kept", p.kept(), "heads/feature")
		})
	}
}

func TestABranchWithoutALogOfItsOwnStaysAndIsKept(t *testing.T) {
	for name, c := range map[string]struct{ before, after func(p *pair) }{
		"logs switched off": {before: func(p *pair) {
			p.git("config", "core.logAllRefUpdates", "false")
			p.remove(".git/logs")
		}, after: func(*pair) {}},
		"log of the branch gone": {before: func(*pair) {}, after: func(p *pair) { p.remove(".git/logs/refs/heads/feature") }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPair(t)
			c.before(p)
			g := p.watch(t, p.repo)
			p.user("switch -q feature", commit, "switch -q main")
			c.after(p)
			users := p.branches()
			equal(t, "found", p.settle(t, p.repo, g), "")
			equal(t, "branches", p.branches(), users)
			equal(t, "kept", p.kept(), "heads/feature")
		})
	}
}

func TestLogThatWasCutNeverShowsWhatWasThereBefore(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.user("switch -q -c idea", "switch -q main", "branch -D idea")
	g := p.watch(t, p.repo)
	length := len(p.read(".git/logs/HEAD"))
	p.git("reflog", "delete", "HEAD@{6}")
	equal(t, "cut", len(p.read(".git/logs/HEAD")) < length, true)
	for len(p.read(".git/logs/HEAD")) <= length+500 {
		p.user("switch -q feature", "switch -q main")
	}
	p.agent("branch idea main")
	equal(t, "found", p.settle(t, p.repo, g), "created refs/heads/idea")
}

func TestGuardedBranchIsNobodyElses(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	g := p.watch(t, p.repo)
	before := p.branches()
	p.user("checkout -q --ignore-other-worktrees lane/one", commit, "switch -q main")
	d, err := Of(p.repo).Compare(t.Context(), g)
	p.must(err)
	equal(t, "ahead", d.HeadAhead, true)
	p.must(Of(p.repo).PutBack(t.Context(), g, d, keptRef))
	equal(t, "branches", p.branches(), before)
	equal(t, "kept", p.kept(), "head heads/lane/one")
}

func TestTreesThatAreMadeMeanwhileDoNotCount(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	g := p.watch(t, p.repo)
	before := p.branches()
	p.agent("worktree add -q --detach ../hidden", "-C ../hidden switch -q -c idea",
		"-C ../hidden "+commit, "-C ../hidden switch -q --detach")
	equal(t, "found", p.settle(t, p.repo, g), "created refs/heads/idea")
	equal(t, "branches", p.branches(), before)
}

func TestEachLanesOwnGuardPutsBackWhatItsAgentDid(t *testing.T) {
	for _, order := range []string{"one two", "two one"} {
		t.Run(order, func(t *testing.T) {
			t.Parallel()
			p := newPair(t)
			two, err := p.sandbox.repo.Worktrees.AddBranch(t.Context(), p.path(".harness/worktrees/two"), "lane/two", p.head())
			p.must(err)
			repos := map[string]*git.Repo{"one": p.repo, "two": two}
			guards := map[string]Guard{"one": p.watch(t, p.repo), "two": p.watch(t, two)}
			before := p.branches()
			p.agent("switch -q -c sneaky", commit, "switch -q feature", commit, "switch -q lane/one")
			found := map[string]string{}
			for _, lane := range strings.Fields(order) {
				found[lane] = p.settle(t, repos[lane], guards[lane])
			}
			equal(t, "found in its own tree", found["one"], "moved refs/heads/feature; created refs/heads/sneaky")
			equal(t, "found in the other", found["two"], "")
			equal(t, "branches", p.branches(), before)
		})
	}
}

func TestBranchesTheUserMovedStayWhereALaneIsGone(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	g := p.watch(t, p.repo)
	p.user("switch -q feature", commit, "switch -q main")
	want := p.git("rev-parse", "feature")
	p.agent("switch -q -c sneaky", commit, "switch -q lane/one")
	p.must(os.RemoveAll(p.lane))
	d, err := Of(p.sandbox.repo).PutRefsBack(t.Context(), g, keptRef)
	p.must(err)
	equalList(t, "said", d.Shared, "created refs/heads/sneaky")
	equal(t, "feature", p.git("rev-parse", "feature"), want)
}

func TestLengthsOfLogsSurviveJSON(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	data, err := json.Marshal(p.watch(t, p.repo))
	p.must(err)
	var g Guard
	p.must(json.Unmarshal(data, &g))
	equal(t, "number of logs", len(g.Logs), 1)
	p.user("switch -q feature", commit, "switch -q main")
	after := p.branches()
	equal(t, "found", p.settle(t, p.repo, g), "")
	equal(t, "branches", p.branches(), after)
}
