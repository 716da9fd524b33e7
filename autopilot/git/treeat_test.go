package git

import (
	"testing"
)

func TestTreeOfACommitIsThatOfItsWorkingTree(t *testing.T) {
	s := newSandbox(t)
	work, err := s.repo.Tree.Hash(t.Context())
	s.must(err)
	commit, err := s.repo.Tree.HashAt(t.Context(), "HEAD")
	s.must(err)
	if work != commit {
		t.Errorf("the working tree is %s, its commit %s", work, commit)
	}
	s.write("a.txt", "changed\n")
	if changed, err := s.repo.Tree.Hash(t.Context()); err != nil || changed == commit {
		t.Errorf("changed, the tree is still %s (%v)", changed, err)
	}
	if _, err := s.repo.Tree.HashAt(t.Context(), "nowhere"); err == nil {
		t.Error("a commit that is not there has a tree")
	}
}

func TestTreeOfHeadIsToldFromTheIndex(t *testing.T) {
	for name, do := range map[string]func(s *sandbox){
		"nothing":             func(*sandbox) {},
		"changed and deleted": func(s *sandbox) { s.write("a.txt", "x"); s.remove("run.sh"); s.write("new.txt", "y") },
		"staged":              func(s *sandbox) { s.write("a.txt", "x"); s.git("add", "a.txt") },
		"staged and as before": func(s *sandbox) {
			s.write("a.txt", "x")
			s.git("add", "a.txt")
			s.write("a.txt", s.git("show", "HEAD:a.txt"))
		},
		"announced":         func(s *sandbox) { s.write("new.txt", "y"); s.git("add", "-N", "new.txt") },
		"staged as deleted": func(s *sandbox) { s.git("rm", "-q", "--cached", "a.txt") },
		"unwatched":         func(s *sandbox) { s.git("update-index", "--assume-unchanged", "a.txt"); s.write("a.txt", "x") },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSandbox(t)
			do(s)
			got, err := s.repo.Tree.HashWith(t.Context(), nil)
			s.must(err)
			want, err := s.repo.Tree.HashAt(t.Context(), "HEAD")
			s.must(err)
			equal(t, "tree", got, want)
		})
	}
}

func TestTreeWithSomePathsIsWhatACommitOfThemHolds(t *testing.T) {
	s := newSandbox(t)
	s.write("a.txt", "mine\n")
	s.write("new.txt", "mine too\n")
	s.remove("run.sh")
	s.write("b.txt", "somebody's\n")
	s.write("harness-tasks.json", "{}")
	paths := []string{"a.txt", "new.txt", "run.sh", "harness-tasks.json"}
	want, err := s.repo.Tree.HashWith(t.Context(), paths)
	s.must(err)
	s.git("add", "-A", "--", "a.txt", "new.txt", "run.sh")
	s.git("commit", "-q", "-m", "Mine", "--", "a.txt", "new.txt", "run.sh")
	if got, err := s.repo.Tree.HashAt(t.Context(), "HEAD"); err != nil || got != want {
		t.Errorf("the commit has tree %s, want %s (%v)", got, want, err)
	}
}

func TestCommitIsDescribedWithItsTrailers(t *testing.T) {
	s := newSandbox(t)
	first := s.git("rev-parse", "HEAD")
	s.git("commit", "-q", "--allow-empty", "-m", "Subject\n\nAutopilot-Key: early\n\nBody\n\nAutopilot-Key: s/7\r\nSigned: x")
	d, err := s.repo.History.Describe(t.Context(), "HEAD")
	s.must(err)
	if d.Trailer(KeyTrailer) != "s/7" || d.Trailer("Other") != "" || len(d.Parents) != 1 || d.Parents[0] != first {
		t.Errorf("described as %+v", d)
	}
	list, err := s.repo.History.Between(t.Context(), first, "HEAD")
	s.must(err)
	if len(list) != 1 || list[0].SHA != d.SHA || list[0].Message != d.Message {
		t.Errorf("between are %+v", list)
	}
	if _, err := s.repo.History.Describe(t.Context(), "nowhere"); err == nil {
		t.Error("a commit that is not there is described")
	}
	if _, err := s.repo.History.Between(t.Context(), "nowhere", "HEAD"); err == nil {
		t.Error("what is between a commit that is not there is listed")
	}
}
