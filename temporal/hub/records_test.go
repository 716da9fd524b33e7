package hub

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"autopilot/sessions"
)

// twoClones are two clones that have the same records.
func twoClones(t *testing.T, files map[string]string) (bare string, one, two *Session) {
	t.Helper()
	bare = newHub(t, map[string]string{"a": "1"})
	one = openSession(t, openClone(t, bare))
	for name, text := range files {
		write(t, text, one.Dir(), name)
	}
	save(t, one, "")
	return bare, one, openSession(t, openClone(t, bare))
}

// records are the files of the session's folder as the hub has it.
func records(t *testing.T, bare string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for name := range strings.SplitSeq(must(t, bare, "ls-tree", "-r", "-z", "--name-only", RecordsRef(slug)), "\x00") {
		if name != "" {
			all[name] = must(t, bare, "cat-file", "blob", RecordsRef(slug)+":"+name)
		}
	}
	return all
}

func expect(t *testing.T, bare string, want map[string]string) {
	t.Helper()
	got := records(t, bare)
	for name, text := range want {
		if is, there := got[name]; text == "(none)" && there || text != "(none)" && is != text {
			t.Errorf("%s is %q, want %q", name, is, text)
		}
	}
}

func TestTheFolderIsCarriedAsItIs(t *testing.T) {
	files := map[string]string{
		"events.jsonl": "1\n", "dir/a b": "x", "new\nline.md": "y", "ünï": "z", "dos.txt": "a\r\nb\r\n", "empty": "", ".gitignore": "*\n", "x.log": "ignored", "bin": "\x00\xff\r\n",
	}
	bare, one, two := twoClones(t, files)
	for name, text := range files {
		if got := read(t, two.Dir(), name); got != text {
			t.Errorf("%s is %q, want %q", name, got, text)
		}
	}
	for _, name := range []string{"lock", "inbox/1.json", "now.json"} {
		write(t, "this machine's", one.Dir(), name)
	}
	removeAll(t, one.Dir(), "dir")
	write(t, "a file now", one.Dir(), "dir")
	write(t, "2", one.Dir(), "new\nline.md", "..", "deeper", "b")
	save(t, one, "")
	write(t, "stale", two.Dir(), "stale")
	write(t, "its own", two.Dir(), "lock")
	write(t, "its own", two.Dir(), "inbox", "2.json")
	two = openSession(t, two.clone)
	for name, text := range map[string]string{
		"dir": "a file now", "deeper/b": "2", "stale": "(none)", "lock": "its own", "inbox/2.json": "its own", "inbox/1.json": "(none)", "now.json": "(none)",
	} {
		if got := read(t, two.Dir(), name); got != text {
			t.Errorf("%s is %q, want %q", name, got, text)
		}
	}
	before := must(t, bare, "rev-parse", RecordsRef(slug))
	save(t, two, "")
	if after := must(t, bare, "rev-parse", RecordsRef(slug)); after != before {
		t.Error("records were given that are as they were")
	}
}

// TestRecordsOfTwoClonesAreMerged: each gives several times, the other in between.
func TestRecordsOfTwoClonesAreMerged(t *testing.T) {
	bare, one, two := twoClones(t, map[string]string{
		"events.jsonl": "1\n", sessions.SnapshotName: "1", "progress.txt": "1\n", "learnings.md": "# Learnings\n\n- a\n", "only.json": "{}", "both.json": "{}", "gone": "x", "gone.md": "x\n",
	})
	for n, s := range []*Session{one, two} {
		name := string("AB"[n])
		write(t, "1\n"+name+"\n", s.Dir(), "progress.txt")
		write(t, "mine", s.Dir(), "attempts", name, "new\nline")
		write(t, name, s.Dir(), "both.json")
		write(t, name+"\n", s.Dir(), "fresh.md")
	}
	write(t, "1\n2\n3\n", one.Dir(), "events.jsonl")
	write(t, "3", one.Dir(), sessions.SnapshotName)
	write(t, "one's", one.Dir(), "only.json")
	write(t, "changed\n", one.Dir(), "gone.md")
	removeAll(t, one.Dir(), "gone")
	write(t, "1\n2\n", two.Dir(), "events.jsonl")
	write(t, "2", two.Dir(), sessions.SnapshotName)
	write(t, "# Learnings\n\n- b\n", two.Dir(), "learnings.md") // cleaned up, and written anew
	removeAll(t, two.Dir(), "gone.md")
	save(t, one, "")
	save(t, two, "")
	want := map[string]string{
		"events.jsonl": "1\n2\n3", sessions.SnapshotName: "3", "progress.txt": "1\nA\nB", "learnings.md": "# Learnings\n\n- b", "only.json": "one's", "both.json": "B",
		"fresh.md": "A\nB", "attempts/A/new\nline": "mine", "attempts/B/new\nline": "mine", "gone": "(none)", "gone.md": "changed",
	}
	expect(t, bare, want)
	for range 2 { // neither has the other's in its own folder, and neither takes it away
		write(t, read(t, two.Dir(), "progress.txt")+"more\n", two.Dir(), "progress.txt")
		save(t, one, "")
		save(t, two, "")
		want["progress.txt"] += "\nmore"
		if strings.Count(want["progress.txt"], "more") == 2 {
			want["progress.txt"] = strings.Replace(want["progress.txt"], "\nmore", "", 1) // the same line again is none
		}
		expect(t, bare, want)
	}
	write(t, "1\n2\n3\n4\n", two.Dir(), "events.jsonl")
	write(t, "4", two.Dir(), sessions.SnapshotName)
	write(t, "A again", one.Dir(), "both.json")
	save(t, two, "")
	save(t, one, "")
	want["events.jsonl"], want[sessions.SnapshotName], want["both.json"] = "1\n2\n3\n4", "4", "A again"
	expect(t, bare, want)
}

func TestTextsOfTwoAreOne(t *testing.T) {
	for _, c := range []struct{ base, theirs, ours, want string }{
		{"", "a\n", "b\n", "a\nb\n"},
		{"", "# T\na\n", "# T\nb\n", "# T\na\nb\n"},
		{"1\n", "1\na\n", "1\nb\n", "1\na\nb\n"},
		{"1\n", "1\na", "1\nb\n\nc\n", "1\na\nb\n\nc\n"},
		{"1\n2\n", "2\n", "1\n2\n3\n", "2\n3\n"},       // they pruned, and ours appended
		{"1\n2\n", "1\n2\n3\n", "2\n", "2\n3\n"},       // and the other way round
		{"1\n2\n", "theirs\n", "ours\n", "ours\n"},     // both are rewritten
		{"1\n", "1\na\nb\n", "1\na\nb\n", "1\na\nb\n"}, // the same event on two machines
		{"1\n", "", "1\n2\n", "2\n"},
	} {
		if got := union(c.base, c.theirs, c.ours); got != c.want {
			t.Errorf("%q and %q on %q are %q, want %q", c.theirs, c.ours, c.base, got, c.want)
		}
	}
}

// TestARefusedSaveLeavesTheRecordsMergeable: a commit that the hub never took is no base of anything.
func TestARefusedSaveLeavesTheRecordsMergeable(t *testing.T) {
	bare, one, two := twoClones(t, map[string]string{"summary.md": "old\n", "progress.txt": "1\n"})
	write(t, "#!/bin/sh\nexit 1\n", bare, "hooks", "pre-receive")
	if err := os.Chmod(filepath.Join(bare, "hooks", "pre-receive"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, "new\n", one.Dir(), "summary.md")
	write(t, "1\nA\n", one.Dir(), "progress.txt")
	if err := one.Save(t.Context(), nil, ""); err == nil {
		t.Fatal("the hub took it")
	}
	removeAll(t, bare, "hooks", "pre-receive")
	write(t, "1\nB\n", two.Dir(), "progress.txt")
	save(t, two, "")
	save(t, one, "")
	expect(t, bare, map[string]string{"summary.md": "new", "progress.txt": "1\nB\nA"})
}

func TestWorkersAtTheSameTimeLoseNoRecord(t *testing.T) {
	workers, saves := 4, 3
	if os.Getenv("RESUME_FULL") == "1" {
		workers, saves = 8, 20
	}
	bare, _, _ := twoClones(t, map[string]string{"events.jsonl": "0\n", "progress.txt": "0\n", "learnings.md": "# Learnings\n"})
	var at []*Session
	for range workers {
		at = append(at, openSession(t, openClone(t, bare)))
	}
	var all sync.WaitGroup
	for n, s := range at {
		all.Go(func() {
			for i := range saves {
				line := fmt.Sprintf("%d.%d\n", n, i)
				write(t, read(t, s.Dir(), "progress.txt")+line, s.Dir(), "progress.txt")
				write(t, read(t, s.Dir(), "learnings.md")+"- "+line, s.Dir(), "learnings.md")
				write(t, read(t, s.Dir(), "events.jsonl")+fmt.Sprint(i)+"\n", s.Dir(), "events.jsonl")
				write(t, line, s.Dir(), "attempts", fmt.Sprint(n), fmt.Sprint(i))
				if err := s.Save(t.Context(), nil, ""); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	got := records(t, bare)
	for n := range workers {
		for i := range saves {
			line := fmt.Sprintf("%d.%d", n, i)
			if strings.Count(got["progress.txt"]+"\n", "\n"+line+"\n") != 1 || strings.Count(got["learnings.md"]+"\n", "\n- "+line+"\n") != 1 || got[fmt.Sprintf("attempts/%d/%d", n, i)] != line {
				t.Errorf("%s is lost, or there twice", line)
			}
		}
	}
	if lines := strings.Count(got["events.jsonl"], "\n"); lines != saves {
		t.Errorf("the journal has %d lines, want %d", lines+1, saves+1)
	}
}
