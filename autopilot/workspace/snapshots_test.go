package workspace

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"autopilot/autopilot/git/refs"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/steering"
)

// facts are some that have a RepoSnapshot among them, as those of a dispatch do.
type facts struct {
	RepoSnapshot
	Task string `json:"task"`
}

func TestASnapshotIsReadAsItWasWritten(t *testing.T) {
	// Each round writes a commit to the disk to its end; .ci/run takes all of rapid's rounds.
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue && os.Getenv("RESUME_FULL") != "1" {
		if err := checks.Value.Set("25"); err != nil {
			t.Fatal(err)
		}
	}
	snapshots := Snapshots{Repo: newTestRepo(t, nil), Refs: "refs/autopilot/s/snap/"}
	text := rapid.SliceOf(rapid.Byte())
	held := rapid.Custom(func(t *rapid.T) *plainfile.Held {
		h := &plainfile.Held{Mode: 0o644, Text: append([]byte{}, text.Draw(t, "text")...)}
		h.Size = int64(len(h.Text))
		return h
	})
	files := rapid.MapOfN(rapid.StringMatching(`[a-z./]{1,8}`), held, 0, 4)
	rapid.Check(t, func(t *rapid.T) {
		was := facts{Task: rapid.StringMatching(`task-[0-9]{3}`).Draw(t, "task"), RepoSnapshot: RepoSnapshot{
			Control: map[string][]byte{"/missing": nil, "/empty": {}}, Hidden: files.Draw(t, "hidden"),
			Steering: steering.Snapshot{Shared: files.Draw(t, "shared"), Own: files.Draw(t, "own")},
		}}
		for path, h := range files.Draw(t, "control") {
			was.Control["/"+path] = h.Text
		}
		before := was.RepoSnapshot.withContents(func(data []byte) []byte { return data })
		commit, err := snapshots.Write(t.Context(), "d1", &was, &was.RepoSnapshot)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, was.RepoSnapshot, cmp.AllowUnexported(refs.Guard{})); diff != "" {
			t.Fatalf("writing changed it (-before +after):\n%s", diff)
		}
		var read facts
		if err := snapshots.Read(t.Context(), commit, &read, &read.RepoSnapshot); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(was, read, cmp.AllowUnexported(refs.Guard{})); diff != "" {
			t.Fatalf("it was read otherwise (-written +read):\n%s", diff)
		}
	})
}

func TestASnapshotIsReadWithoutItsRef(t *testing.T) {
	repo := newTestRepo(t, nil)
	snapshots := Snapshots{Repo: repo, Refs: "refs/autopilot/s/snap/"}
	first, err := snapshots.Write(t.Context(), "check", []string{"a.txt"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	second, err := snapshots.Write(t.Context(), "end", []string{"b.txt"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := repo.Refs.Delete(t.Context(), snapshots.Refs, second); err != nil {
		t.Fatal(err)
	}
	refs, err := repo.Refs.List(t.Context(), snapshots.Refs)
	if err != nil || len(refs) != 1 || refs[0].Object != second || refs[0].Name != snapshots.Refs+"end" {
		t.Errorf("the refs are %v, %v", refs, err)
	}
	for commit, want := range map[string]string{first: "a.txt", second: "b.txt"} {
		var paths []string
		if err := snapshots.Read(t.Context(), commit, &paths, nil); err != nil || len(paths) != 1 || paths[0] != want {
			t.Errorf("it holds %q, %v; want %s", paths, err, want)
		}
	}
}

func TestAFileThatStaysTheSameTakesNoMoreRoom(t *testing.T) {
	repo := newTestRepo(t, nil)
	snapshots := Snapshots{Repo: repo, Refs: "refs/autopilot/s/snap/"}
	large := []byte(strings.Repeat("a line of a large file\n", 1000))
	objects := func(task string) int {
		f := facts{Task: task, RepoSnapshot: RepoSnapshot{Control: map[string][]byte{"/large": large}}}
		if _, err := snapshots.Write(t.Context(), "d", &f, &f.RepoSnapshot); err != nil {
			t.Fatal(err)
		}
		loose, err := filepath.Glob(filepath.Join(repo.GitDir(), "objects", "??", "*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(loose)
	}
	first := objects("task-001")
	if more := objects("task-002") - first; more != 3 { // the facts, the tree, the commit
		t.Errorf("%d objects at first, %d more then", first, more)
	}
	if _, err := os.Stat(filepath.Join(repo.GitDir(), "autopilot")); err == nil {
		t.Error("something lies in git's folder beside the objects")
	}
}
