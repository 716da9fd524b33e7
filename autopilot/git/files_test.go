package git

import "testing"

func TestFilesAreTrackedOnesAndThoseThatAreNotIgnored(t *testing.T) {
	s := newSandbox(t)
	s.write(".gitignore", "*.log\n")
	s.write("noise.log", "x")
	s.write("sub/new.txt", "new\n")
	s.write(".harness/init.sh", "true\n")
	s.write("harness-tasks.json", "{}\n")
	s.git("add", "-f", ".harness/init.sh")
	files, err := s.repo.Tree.Files(t.Context())
	s.must(err)
	equalList(t, "files", files, ".gitignore", "a.txt", "b.txt", "dir/c.txt", "run.sh", "sub/new.txt")
}
