package git

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const saveRef = "refs/autopilot/csv/user/1"

func TestSavedFilesComeBackByteForByte(t *testing.T) {
	s := newSandbox(t)
	s.git("config", "core.autocrlf", "true")
	s.git("config", "filter.shout.clean", "tr a-z A-Z")
	s.git("config", "filter.shout.smudge", "tr A-Z a-z")
	s.write(".gitattributes", "*.loud filter=shout\n")
	contents := map[string]string{
		"crlf.txt": "a\r\nb\n", "x.loud": "Mixed Case\n", "empty": "", "sub/deep/binary": "\x00\xff\r\n\x00",
		"a.txt": "staged, then edited\r\n",
	}
	for _, name := range weird() {
		contents[name] = "content of " + name
	}
	s.write("a.txt", "staged\n")
	s.git("add", "a.txt")
	for name, text := range contents {
		s.write(name, text)
	}
	s.link("somewhere else", "link")
	s.write("tool", "#!/bin/sh\n")
	s.chmod("tool", 0o755)
	head, index := s.head(), s.index()

	saved, err := s.repo.Files.Save(t.Context(), saveRef, "The user's files", nil)
	s.must(err)
	equal(t, "HEAD", s.head(), head)
	equal(t, "index", s.index(), index)
	equal(t, "ref", saved.Ref, saveRef)
	equal(t, "number of files", len(saved.Files), len(contents)+3) // and .gitattributes, link, tool

	var paths []string
	for _, f := range saved.Files {
		paths = append(paths, f.Path)
		s.remove(f.Path)
	}
	s.must(s.repo.Files.Restore(t.Context(), saveRef, paths))
	for name, text := range contents {
		equal(t, name, s.read(name), text)
	}
	equal(t, "link", s.read("link"), "-> somewhere else")
	info, err := os.Stat(s.path("tool"))
	s.must(err)
	equal(t, "executable", info.Mode()&0o111 != 0, true)
	deleted, altered, err := s.repo.Files.Altered(saved.All())
	s.must(err)
	equalList(t, "deleted", deleted)
	equalList(t, "altered", altered)
	equal(t, "index after the restore", s.index(), index)
}

func TestSaveNamesDeletedAndTooLargeFiles(t *testing.T) {
	s := newSandbox(t)
	s.repo.Files.limits = limits{file: 10, all: 25}
	s.remove("a.txt")
	for _, name := range []string{"n1", "n2", "n3"} {
		s.write(name, "ten bytes.")
	}
	s.write("large", "eleven byte")
	saved, err := s.repo.Files.Save(t.Context(), saveRef, "x", nil)
	s.must(err)
	equalList(t, "saved", pathsOf(saved.Files), "n1", "n2")
	equalList(t, "left out", pathsOf(saved.LeftOut), "large", "n3")
	equalList(t, "absent", pathsOf(saved.Absent), "a.txt")
	message := s.git("log", "-1", "--format=%B", saveRef)
	for _, part := range []string{`Deleted: "a.txt"`, `Too large to be saved: "n3", 10 bytes`} {
		equal(t, part, strings.Contains(message, part), true)
	}
	s.write("large", "shorter")
	s.write("a.txt", "back again")
	s.remove("n3")
	deleted, altered, err := s.repo.Files.Altered(saved.All())
	s.must(err)
	equalList(t, "deleted", deleted, "n3")
	equalList(t, "altered", altered, "a.txt", "large")
}

func TestNothingSavedIsOverwritten(t *testing.T) {
	s := newSandbox(t)
	for i, want := range []string{saveRef, saveRef + "-2", saveRef + "-3"} {
		s.write("new", fmt.Sprint(i))
		saved, err := s.repo.Files.Save(t.Context(), saveRef, "x", []string{"new"})
		s.must(err)
		equal(t, "ref", saved.Ref, want)
	}
	equal(t, "first", s.git("show", saveRef+":new"), "0")
	refs, err := s.repo.Refs.List(t.Context(), "refs/autopilot/csv/")
	s.must(err)
	equal(t, "refs", len(refs), 3)
	s.git("update-ref", "refs/autopilot/csv2/user/1", "HEAD")
	s.must(s.repo.Refs.Delete(t.Context(), "refs/autopilot/csv"))
	equal(t, "what is left", s.git("for-each-ref", "--format=%(refname)", "refs/autopilot"), "refs/autopilot/csv2/user/1")
	s.must(s.repo.Refs.Delete(t.Context(), "refs/autopilot/csv"))
}

func TestOnlyOwnRefsAreWrittenAndDeleted(t *testing.T) {
	s := newSandbox(t)
	s.write("new", "x")
	_, err := s.repo.Files.Save(t.Context(), "refs/heads/main", "x", nil)
	equal(t, "saving elsewhere fails", err != nil, true)
	equal(t, "deleting elsewhere fails", s.repo.Refs.Delete(t.Context(), "refs/heads/main") != nil, true)
	equal(t, "main", s.git("log", "--format=%s", "main"), "Start")
}

func TestCleanTreeSavesNothing(t *testing.T) {
	s := newSandbox(t)
	saved, err := s.repo.Files.Save(t.Context(), saveRef, "x", nil)
	s.must(err)
	equal(t, "ref", saved.Ref, "")
	equal(t, "refs", s.git("for-each-ref", "refs/autopilot"), "")
}

func TestManyFilesAreSavedAtOnce(t *testing.T) {
	s := newSandbox(t)
	for i := range 150 {
		s.write(fmt.Sprintf("many/%d", i), fmt.Sprint(i))
	}
	saved, err := s.repo.Files.Save(t.Context(), saveRef, "x", nil)
	s.must(err)
	s.remove("many")
	s.must(s.repo.Files.Restore(t.Context(), saved.Ref, pathsOf(saved.Files)))
	equal(t, "last", s.read("many/149"), "149")
}

func TestWhatStandsInTheWayOfARestoreIsMovedAside(t *testing.T) {
	s := newSandbox(t)
	outside := t.TempDir()
	s.write("notes/list", "the user's\n")
	s.write("plain", "the user's too\n")
	s.write("kept/x", "x\n")
	saved, err := s.repo.Files.Save(t.Context(), saveRef, "x", nil)
	s.must(err)
	s.remove("notes")
	s.link(outside, "notes")
	s.remove("plain")
	s.write("plain/agent", "the agent's\n")
	s.remove("kept")
	s.write("kept", "the agent's file\n")
	s.must(s.repo.Files.Restore(t.Context(), saved.Ref, pathsOf(saved.Files)))
	equal(t, "file", s.read("notes/list"), "the user's\n")
	equal(t, "file", s.read("plain"), "the user's too\n")
	equal(t, "file", s.read("kept/x"), "x\n")
	equal(t, "aside", s.read("plain.moved-aside/agent"), "the agent's\n")
	equal(t, "aside", s.read("kept.moved-aside"), "the agent's file\n")
	equal(t, "aside", s.read("notes.moved-aside"), "-> "+outside)
	entries, err := os.ReadDir(outside)
	s.must(err)
	equal(t, "files outside", len(entries), 0)
}

func TestRestoreOfWhatWasNotSavedIsRefused(t *testing.T) {
	s := newSandbox(t)
	s.write("new", "x")
	saved, err := s.repo.Files.Save(t.Context(), saveRef, "x", nil)
	s.must(err)
	equal(t, "fails", s.repo.Files.Restore(t.Context(), saved.Ref, []string{"a.txt"}) != nil, true)
	equal(t, "fails", s.repo.Files.Restore(t.Context(), "refs/autopilot/none", []string{"new"}) != nil, true)
}

func TestFileStateSurvivesJSON(t *testing.T) {
	want := Saved{Ref: saveRef, Files: []File{{Path: "a\n\"b\"", Mode: "100644", Blob: "1", Size: 3}, {Path: "latin-\xe9"}}}
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got Saved
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
	if json.Unmarshal([]byte(`{"pathHex":"zz"}`), &File{}) == nil {
		t.Fatal("broken digits were read")
	}
}

func TestResetPutsExactlyThesePathsBack(t *testing.T) {
	s := newSandbox(t)
	s.write("b.txt", "staged by the user\n")
	s.git("add", "b.txt")
	s.write("b.txt", "edited by the user\n")
	s.write("mine.txt", "the user's\n")
	user := s.git("ls-files", "-s", "b.txt")

	s.write("a.txt", "changed\n")
	s.remove("dir/c.txt")
	s.chmod("run.sh", 0o644)
	s.write("new/file.txt", "new\n")
	s.write("-staged", "new and staged\n")
	s.git("add", "--", "-staged")
	paths := []string{"a.txt", "dir/c.txt", "run.sh", "new/file.txt", "-staged", ".harness/x"}
	saved, err := s.repo.Files.Reset(t.Context(), "HEAD", paths, saveRef)
	s.must(err)
	equal(t, "changed", s.read("a.txt"), "one\n")
	equal(t, "deleted", s.read("dir/c.txt"), "three\n")
	equal(t, "new", s.read("new/file.txt"), "<none>")
	equal(t, "its folder", s.read("new"), "<none>")
	equal(t, "staged", s.read("-staged"), "<none>")
	equal(t, "the user's", s.read("b.txt"), "edited by the user\n")
	equal(t, "the user's in the index", s.git("ls-files", "-s", "b.txt"), user)
	now, err := s.repo.Tree.Status(t.Context())
	s.must(err)
	equalList(t, "dirt", words(now.Dirt), "M* b.txt", "A? mine.txt")
	equalList(t, "saved", pathsOf(saved.Files), "-staged", "a.txt", "new/file.txt", "run.sh")
	equal(t, "saved bytes", s.git("show", saved.Ref+":a.txt"), "changed")
}

func TestResetUndoesFilesThatBecameFoldersAndBack(t *testing.T) {
	s := newSandbox(t)
	s.remove("a.txt")
	s.write("a.txt/inner", "x\n")
	s.remove("dir")
	s.link("/etc", "dir")
	changes, err := s.repo.Tree.Changes(t.Context(), "HEAD")
	s.must(err)
	_, err = s.repo.Files.Reset(t.Context(), "HEAD", Paths(changes), saveRef)
	s.must(err)
	equal(t, "file", s.read("a.txt"), "one\n")
	equal(t, "file", s.read("dir/c.txt"), "three\n")
	now, err := s.repo.Tree.Status(t.Context())
	s.must(err)
	equalList(t, "dirt", words(now.Dirt))
}

func TestResetThatWouldDestroyAnotherFileIsRefused(t *testing.T) {
	cases := map[string]func(*sandbox){
		"a file in a folder at its place": func(s *sandbox) { s.remove("dir/c.txt"); s.write("dir/c.txt/mine", "x") },
		"a link at its folder's place":    func(s *sandbox) { s.remove("dir"); s.link("/etc", "dir") },
	}
	for name, do := range cases {
		t.Run(name, func(t *testing.T) {
			s := newSandbox(t)
			do(s)
			s.write("new", "n")
			_, err := s.repo.Files.Reset(t.Context(), "HEAD", []string{"dir/c.txt", "new"}, saveRef)
			var blocked *PathBlockedError
			if !errors.As(err, &blocked) || blocked.Path != "dir/c.txt" || !strings.Contains(err.Error(), "Move it elsewhere") {
				t.Fatalf("got %v", err)
			}
			equal(t, "nothing was done", s.read("new"), "n")
		})
	}
}

func TestResetToAnOlderCommit(t *testing.T) {
	s := newSandbox(t)
	base := s.head()
	s.write("later.txt", "x\n")
	s.write("a.txt", "two\n")
	s.git("add", "-A")
	s.git("commit", "-qm", "later")
	_, err := s.repo.Files.Reset(t.Context(), base, []string{"later.txt", "a.txt"}, saveRef)
	s.must(err)
	changes, err := s.repo.Tree.Changes(t.Context(), base)
	s.must(err)
	equalList(t, "changes since the base", words(changes))
	_, err = s.repo.Files.Reset(t.Context(), "nowhere", []string{"a.txt"}, saveRef)
	equal(t, "an unknown base fails", err != nil, true)
}

func pathsOf(files []File) []string {
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	slices.Sort(paths)
	return paths
}
