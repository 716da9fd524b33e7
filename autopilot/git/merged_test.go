package git

import "testing"

func TestMergedWorkIsFoundInWhateverWayItWasMerged(t *testing.T) {
	cases := map[string]struct {
		do   func(*sandbox) // on main, with work on the branch side
		want bool
	}{
		"not at all":        {func(*sandbox) {}, false},
		"main only went on": {func(s *sandbox) { s.commitFile("b.txt", "main\n") }, false},
		"merged":            {func(s *sandbox) { s.git("merge", "-q", "--no-ff", "-m", "Merge", "side") }, true},
		"fast-forward":      {func(s *sandbox) { s.git("merge", "-q", "--ff-only", "side") }, true},
		"squashed":          {func(s *sandbox) { s.squash("side") }, true},
		"squashed on top":   {func(s *sandbox) { s.commitFile("b.txt", "main\n"); s.squash("side") }, true},
		"squashed, then on": {func(s *sandbox) { s.squash("side"); s.commitFile("a.txt", "main\n") }, true},
		"squashed and changed": {func(s *sandbox) {
			s.squash("side")
			s.write("a.txt", "more\n")
			s.git("commit", "-aq", "--amend", "-m", "x")
		}, false},
		"rebased":    {func(s *sandbox) { s.commitFile("b.txt", "main\n"); s.git("cherry-pick", "main~1..side") }, true},
		"half of it": {func(s *sandbox) { s.commitFile("b.txt", "main\n"); s.git("cherry-pick", "side~1") }, false},
		"another binary": {func(s *sandbox) {
			s.squash("side")
			s.write("x.bin", "\x00other")
			s.git("commit", "-aq", "--amend", "-m", "x")
		}, false},
	}
	for name, c := range cases {
		if !taken(name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := withSide(t)
			c.do(s)
			got, err := s.repo.History.Merged(t.Context(), "", "side", "main")
			s.must(err)
			equal(t, "merged", got, c.want)
		})
	}
}

// What a branch is stacked on may be merged in one way, and its own work in another.
func TestWorkOnTopOfMergedWorkIsFound(t *testing.T) {
	s := withSide(t)
	s.git("switch", "-q", "-c", "top", "side")
	s.commitFile("top.txt", "top\n")
	s.git("switch", "-q", "main")
	s.squash("side")
	for _, want := range []bool{false, true} {
		got, err := s.repo.History.Merged(t.Context(), "side", "top", "main")
		s.must(err)
		equal(t, "merged", got, want)
		if !want {
			s.git("cherry-pick", "top")
			s.git("commit", "-q", "--amend", "-m", "Top (#2)")
		}
	}
	got, err := s.repo.History.Merged(t.Context(), "", "top", "main")
	s.must(err)
	equal(t, "merged as a whole", got, false)
}

// withSide stands on main, beside a branch with two commits that change text and a binary file.
func withSide(t *testing.T) *sandbox {
	t.Helper()
	s := newSandbox(t)
	s.git("switch", "-q", "-c", "side")
	s.commitFile("a.txt", "side\n")
	s.commitFile("x.bin", "\x00side")
	s.git("switch", "-q", "main")
	return s
}

func (s *sandbox) commitFile(path, text string) {
	s.Helper()
	s.write(path, text)
	s.git("add", path)
	s.git("commit", "-q", "-m", "Write "+path)
}

func (s *sandbox) squash(branch string) {
	s.Helper()
	s.git("merge", "-q", "--squash", branch)
	s.git("commit", "-q", "-m", "All of it (#1)")
}
