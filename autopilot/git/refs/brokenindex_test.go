package refs

import (
	"os"
	"testing"
)

func TestABrokenIndexIsPutBack(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"nonsense": "garbage\n", "nothing in it": "", "a beginning": "DIRC\x00\x00\x00\x02\x00\x00\x00\x09 and no more, but for twenty bytes"} {
		s := newSandbox(t)
		s.write("staged.txt", "x\n")
		s.git("add", "staged.txt")
		g, err := Of(s.repo).Watch(t.Context(), "refs/autopilot/s/", nil)
		s.must(err)
		before := s.index()
		s.write(".git/index", text)
		mended, err := Of(s.repo).PutBrokenIndexBack(t.Context(), g)
		s.must(err)
		equal(t, name, mended, true)
		equal(t, name, s.index(), before)
		s.assertNoIndexLock(t)
	}
}

func TestAnIndexThatGitCanReadIsLeft(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(s *sandbox){
		"as it was":    func(*sandbox) {},
		"with another": func(s *sandbox) { s.write("staged.txt", "x\n"); s.git("add", "staged.txt") },
		"without sum":  func(s *sandbox) { s.git("-c", "index.skipHash=true", "rm", "-q", "--cached", "a.txt") },
		"version 4":    func(s *sandbox) { s.git("update-index", "--index-version", "4") },
		"split":        func(s *sandbox) { s.git("update-index", "--split-index") },
		"gone":         func(s *sandbox) { s.remove(".git/index") },
	} {
		s := newSandbox(t)
		g, err := Of(s.repo).Watch(t.Context(), "refs/autopilot/s/", nil)
		s.must(err)
		make(s)
		mended, err := Of(s.repo).PutBrokenIndexBack(t.Context(), g)
		s.must(err)
		equal(t, name, mended, false)
	}
}

func (s *sandbox) assertNoIndexLock(t *testing.T) {
	t.Helper()
	if _, err := os.Lstat(s.path(".git/index.lock")); err == nil {
		t.Error("a lock was left")
	}
}
