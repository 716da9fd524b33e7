package git

import (
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"
)

var userFiles = []string{"a.txt", "b.txt", "dir/c.txt", "new", "new\nline", "-dash", "sub/deep"}

// full tells whether to take every row, and as many rounds as .ci/run does: RESUME_FULL=1.
func full() bool { return os.Getenv("RESUME_FULL") == "1" }

// taken says whether a test takes the row of that name: without full one in three, always the same ones.
func taken(name string) bool { return full() || crc32.ChecksumIEEE([]byte(name))%3 == 0 }

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

// TestChangesAtHeadAreThoseOfADiff: whatever is edited, staged or committed, one git status says what a diff would say,
// or that it cannot.
func TestChangesAtHeadAreThoseOfADiff(t *testing.T) {
	all, plain := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		s := newSandbox(t)
		s.fataler = rt
		for range rapid.IntRange(0, 4).Draw(rt, "edits") {
			s.edit(rt, "user")
		}
		_, _ = s.try(rapid.SampledFrom([][]string{{"status"}, {"status"}, {"add", "-A"}, {"add", "-N", "."}, {"rm", "-q", "--cached", "a.txt"}, {"update-index", "--chmod=+x", "b.txt"}}).Draw(rt, "staging")...)
		for range rapid.IntRange(0, 2).Draw(rt, "more edits") {
			s.edit(rt, "user")
		}
		all++
		now, err := s.repo.Tree.Status(t.Context())
		s.must(err)
		got, ok := now.since("HEAD")
		if !ok {
			return
		}
		plain++
		want, err := s.repo.Tree.changesByDiff(t.Context(), "HEAD", now)
		s.must(err)
		equal(rt, "changes", fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want))
	})
	equal(t, "some were plain", plain > 0 || all < 50, true) // few are tried with the race detector
}
