package tasks

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"autopilot/autopilot/branches"
	"autopilot/autopilot/git"
	"autopilot/autopilot/git/refs"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/workspace"
	"autopilot/sessions/taskfile"
)

func newTestRepo(t *testing.T) *git.Repo {
	t.Helper()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	dir := filepath.Join(t.TempDir(), "repo")
	run(t, ".", "init", "-q", dir)
	run(t, dir, "config", "user.name", "A")
	run(t, dir, "config", "user.email", "a@b")
	run(t, dir, "commit", "-q", "--allow-empty", "-m", "Begin")
	return repoAt(t, dir)
}

func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), "git", args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func repoAt(t *testing.T, dir string) *git.Repo {
	t.Helper()
	repo, err := git.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return repo
}

// notesIn are those of a process of its own.
func notesIn(repo *git.Repo) notes {
	l := Loop{Repo: repo, Now: time.Now}
	return l.parts().notes
}

// noted is the note of a task that a process finds, with or without a time; "" for none.
func noted(t *testing.T, n notes, id string) string {
	t.Helper()
	base := "b"
	b, known, err := n.remembered(t.Context(), taskfile.ListedTask{ID: id, StartedAtCommit: &base})
	switch {
	case err != nil:
		t.Fatal(err)
	case !known:
		return ""
	case b.Noted.IsZero():
		return b.Branch + ", at no time"
	}
	return b.Branch
}

func note(t *testing.T, n notes, id, text string) {
	t.Helper()
	if err := n.write(t.Context(), before{Task: id, Base: "b", Branch: text}); err != nil {
		t.Fatal(err)
	}
}

func TestANoteIsReadAsItWasWritten(t *testing.T) {
	repo := newTestRepo(t)
	n := notesIn(repo)
	paths := rapid.SliceOf(rapid.StringMatching(`[a-z /]{1,8}`))
	drawn := rapid.Custom(func(t *rapid.T) before {
		b := before{
			Task: rapid.StringN(1, 20, 200).Draw(t, "task"), Base: rapid.StringMatching(`[a-z]{0,3}`).Draw(t, "base"), Users: paths.Draw(t, "users"),
			Begun: rapid.Bool().Draw(t, "begun"), Ended: time.Unix(0, rapid.Int64Range(1, 1<<60).Draw(t, "ended")).UTC(),
		}
		if rapid.Bool().Draw(t, "flight") {
			control := append([]byte{}, rapid.SliceOf(rapid.Byte()).Draw(t, "control")...)
			b.Flight = &flight{"tasks-1", workspace.RepoSnapshot{Common: repo.CommonDir(), Control: map[string][]byte{"/missing": nil, "/there": control}}}
		}
		return b
	})
	for seed := range 20 {
		was := drawn.Example(seed)
		if err := n.write(t.Context(), was); err != nil {
			t.Fatal(err)
		}
		for _, by := range []notes{n, notesIn(repo)} {
			read, known, err := by.remembered(t.Context(), taskfile.ListedTask{ID: was.Task, StartedAtCommit: &was.Base})
			if err != nil || !known || read.Noted.IsZero() || time.Since(read.Noted) > time.Minute {
				t.Fatalf("%+v: known %v, noted at %v, %v", was, known, read.Noted, err)
			}
			read.Noted, read.Origin = was.Noted, was.Origin
			if diff := cmp.Diff(was, read, cmp.AllowUnexported(refs.Guard{})); diff != "" {
				t.Fatalf("it was read otherwise (-written +read):\n%s", diff)
			}
		}
		if err := n.forget(t.Context(), was.Task); err != nil {
			t.Fatal(err)
		}
	}
	if left := run(t, repo.Root(), "for-each-ref", "refs/autopilot"); left != "" {
		t.Errorf("refs are left of notes that were forgotten: %s", left)
	}
}

func TestANoteIsOfOneClaimInOneWorkingTree(t *testing.T) {
	repo := newTestRepo(t)
	beside := filepath.Join(t.TempDir(), "beside")
	add := func() notes {
		run(t, repo.Root(), "worktree", "add", "-q", "--detach", beside)
		return notesIn(repoAt(t, beside))
	}
	there := add()
	note(t, notesIn(repo), "one", "here")
	note(t, there, "one", "there")
	note(t, there, "two", "two there")
	for _, row := range []struct {
		by       notes
		id, want string
	}{{notesIn(repo), "one", "here"}, {notesIn(repo), "two", ""}, {notesIn(repoAt(t, beside)), "one", "there"}, {notesIn(repoAt(t, beside)), "two", "two there"}} {
		if got := noted(t, row.by, row.id); got != row.want {
			t.Errorf("%s in %s: %q, want %q", row.id, row.by.repo.Root(), got, row.want)
		}
	}
	other := "another"
	if _, known, err := notesIn(repo).remembered(t.Context(), taskfile.ListedTask{ID: "one", StartedAtCommit: &other}); known || err != nil {
		t.Errorf("the note of another claim counts: %v", err)
	}
	run(t, repo.Root(), "worktree", "remove", "--force", beside)
	if got := noted(t, add(), "one"); got != "" {
		t.Errorf("a later working tree of the same name has %q", got)
	}
	if got := noted(t, notesIn(repo), "one"); got != "here" {
		t.Errorf("the main one has %q", got)
	}
}

func TestANoteHasNoTimeInACopyOfTheRepository(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no inodes")
	}
	repo := newTestRepo(t)
	note(t, notesIn(repo), "one", "first")
	moved, copied := repo.Root()+"-moved", repo.Root()+"-copied"
	if out, err := exec.CommandContext(t.Context(), "cp", "-Rp", repo.Root(), copied).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.Rename(repo.Root(), moved); err != nil {
		t.Fatal(err)
	}
	there := notesIn(repoAt(t, copied))
	if got := noted(t, notesIn(repoAt(t, moved)), "one"); got != "first" {
		t.Errorf("where it was moved: %q", got)
	}
	if got := noted(t, there, "one"); got != "first, at no time" {
		t.Errorf("in the copy: %q", got)
	}
	note(t, there, "one", "second")
	if got := noted(t, notesIn(repoAt(t, copied)), "one"); got != "second" {
		t.Errorf("what was noted in the copy: %q", got)
	}
}

func TestTheNoteOfAnOlderVersionIsMovedAway(t *testing.T) {
	repo := newTestRepo(t)
	folder := filepath.Join(repo.GitDir(), "autopilot")
	file, old := filepath.Join(folder, "tasks", "one.json"), filepath.Join(folder, "old", "tasks", "one.json")
	put := func(text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	isMoved := func() {
		t.Helper()
		if _, err := os.Stat(file); !os.IsNotExist(err) {
			t.Errorf("it is still there: %v", err)
		}
		if _, err := os.Stat(old); err != nil {
			t.Error(err)
		}
	}
	const text = `{"task":"one","base":"b","branch":"of old","users":null,"saved":{}}`
	put(text)
	if got := noted(t, notesIn(repo), "one"); got != "of old" {
		t.Errorf("it is read as %q", got)
	}
	note(t, notesIn(repo), "one", "new")
	isMoved()
	put(text) // a kill after the ref was written
	if got := noted(t, notesIn(repo), "one"); got != "new" {
		t.Errorf("beside a new one it is read as %q", got)
	}
	if err := notesIn(repo).forget(t.Context(), "one"); err != nil {
		t.Fatal(err)
	}
	isMoved()
	put(text)
	if err := os.Chtimes(file, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	if got := noted(t, notesIn(repo), "one"); runtime.GOOS != "windows" && got != "of old, at no time" {
		t.Errorf("a copied one is read as %q", got)
	}
	put("{")
	if got := noted(t, notesIn(repo), "one"); got != "" {
		t.Errorf("one that a kill cut off is read as %q", got)
	}
	if all, err := notesIn(repo).all(t.Context()); err != nil || len(all) != 1 || all[0] != "one" {
		t.Errorf("the notes are %q, %v", all, err)
	}
}

func TestAnAgentCannotTakeANoteAway(t *testing.T) {
	repo := newTestRepo(t)
	n := notesIn(repo)
	ref := snapshotsOf(repo).Refs + "one"
	blob := run(t, repo.Root(), "hash-object", "-w", ".git/config")
	odd, err := snapshotsOf(repo).Write(t.Context(), "odd", []string{"no note"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, deed := range [][]string{{"update-ref", "-d", ref}, {"update-ref", ref, "HEAD"}, {"update-ref", ref, blob}, {"update-ref", ref, odd}} {
		note(t, n, "one", "first")
		run(t, repo.Root(), deed...)
		if got := noted(t, notesIn(repo), "one"); got != "" {
			t.Errorf("%q: another process reads %q", deed, got)
		}
		if got := noted(t, n, "one"); got != "first" {
			t.Errorf("%q: this one reads %q", deed, got)
		}
		note(t, n, "one", "second") // as when the dispatch has ended
		if got := noted(t, notesIn(repo), "one"); got != "second" {
			t.Errorf("%q: it is not put back: %q", deed, got)
		}
	}
}

// A session of docs/tasks.md has the slug tasks, and deletes its own snapshots.
func TestNoSessionAndNoTaskHasNotesForItsOwn(t *testing.T) {
	for _, name := range []string{"tasks", "tasks.snap", "snap", "tasks/snap"} {
		for _, own := range []string{"refs/autopilot/" + branches.RefName(name) + "/", refOf(name)} {
			if strings.HasPrefix(snapshotRefs, own) {
				t.Errorf("%s is below %s", snapshotRefs, own)
			}
		}
	}
}

type silent struct{}

func (silent) Report(journal.Note) {}

func TestANoteIsForgottenBesideALockOfAnotherGit(t *testing.T) {
	repo := newTestRepo(t)
	n := notesIn(repo)
	n.report = silent{}
	note(t, n, "one", "first")
	if err := os.WriteFile(filepath.Join(repo.GitDir(), "packed-refs.lock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := n.forget(t.Context(), "one"); err != nil {
		t.Error(err)
	}
	note(t, n, "one", "second")
	if got := noted(t, notesIn(repo), "one"); got != "second" {
		t.Errorf("the next claim's is %q", got)
	}
}

func TestWhenAKilledRunEnded(t *testing.T) {
	at := func(s int) time.Time { return time.Unix(1000+int64(s), 0) }
	dir := t.TempDir()
	r := recovery{attempts: attempts{dir: dir}}
	task := taskfile.ListedTask{ID: "one"}
	transcript := filepath.Join(r.attempts.attemptDir(task), agentLog)
	if err := os.MkdirAll(filepath.Dir(transcript), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name           string
		b              before
		killed, agents time.Time
		want           time.Time
	}{
		{name: "known already", b: before{Ended: at(1), Noted: at(2)}, killed: at(3), want: at(1)},
		{name: "its command ended", b: before{Noted: at(2), Flight: &flight{}}, killed: at(3), want: at(3)},
		{name: "an earlier run's command ended, nothing in flight", b: before{Noted: at(2)}, killed: at(1), want: at(2)},
		{name: "an earlier run's command ended, in flight", b: before{Noted: at(2), Flight: &flight{}}, killed: at(1)},
		{name: "no kill is known of, nothing in flight", b: before{Noted: at(2)}, want: at(2)},
		{name: "no kill is known of, in flight", b: before{Noted: at(2), Flight: &flight{}}},
		{name: "the built-in agent", b: before{Noted: at(2), Flight: &flight{}}, agents: at(4), want: at(5)},
		{name: "the built-in agent of an earlier attempt", b: before{Noted: at(2), Flight: &flight{}}, agents: at(1)},
		{name: "a copy", b: before{Flight: &flight{}}, agents: at(4)},
		{name: "a copy, nothing in flight", b: before{}},
	} {
		_ = os.Remove(transcript)
		if !row.agents.IsZero() {
			if err := os.WriteFile(transcript, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(transcript, row.agents, row.agents); err != nil {
				t.Fatal(err)
			}
		}
		r.killedAt = row.killed
		if got := r.ended(task, row.b); !got.Equal(row.want) {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}
}

func TestWorkersShareWhatStoodWhenTheFirstBegan(t *testing.T) {
	repo := newTestRepo(t)
	config := filepath.Join(repo.Root(), workspace.ProjectFile)
	alive := map[string]bool{}
	worker := func(name, text string) (sharedLine, func() error) {
		t.Helper()
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s := sharedLine{repo: repo, worker: name, root: repo.Root(), dir: filepath.Join(repo.Root(), ".harness", "tasks"), line: &Line{
			Lock: func(context.Context) (func(), error) { return func() {}, nil }, AtWork: func(name string) bool { return alive[name] },
		}}
		leave, err := s.join(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		alive[name] = true
		return s, leave
	}
	check := func(s sharedLine, want string) {
		t.Helper()
		var was workspace.RepoSnapshot
		if s.share(&was); string(was.Control[config]) != want {
			t.Errorf("%s is to leave %q there, want %q", s.worker, was.Control[config], want)
		}
	}
	a, leaveA := worker("a", "first")
	check(a, "first")
	b, leaveB := worker("b", "of an agent")
	check(b, "first")
	if err := leaveA(); err != nil {
		t.Fatal(err)
	}
	c, _ := worker("c", "of an agent") // it is killed
	check(c, "first")
	if err := leaveB(); err != nil {
		t.Fatal(err)
	}
	alive["c"] = false
	d, leaveD := worker("d", "second")
	check(d, "second")
	if err := leaveD(); err != nil {
		t.Fatal(err)
	}
	if left := run(t, repo.Root(), "for-each-ref", "refs/autopilot"); left != "" {
		t.Errorf("refs are left when nobody is at work: %s", left)
	}
}
