package shell

import (
	"os"
	"path/filepath"
	"testing"
)

func TestLinksOfTheTreeLeadWhereTheyLead(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(dir, "home", "work")
	for _, made := range []error{
		os.MkdirAll(filepath.Join(root, "src", "deep"), 0o755), os.Mkdir(filepath.Join(dir, "home", "mine"), 0o755),
		os.Symlink("../mine", filepath.Join(root, "link")), os.Symlink("../../../mine", filepath.Join(root, "src", "deep", "link")),
		os.Symlink("src", filepath.Join(root, "own")), os.Symlink("nowhere", filepath.Join(root, "dangling")),
	} {
		if made != nil {
			t.Skip("no links here: ", made)
		}
	}
	there := func() *PathScope {
		ground := NewPathScope(root, []string{"HOME=" + filepath.Join(dir, "home")})
		ground.temp = nil // the test's own folders are temporary
		return ground
	}
	for _, line := range []string{
		"rm -rf link/*", "rm -rf link/", "rm -rf link/.", "rm -f link/x", "rm -rf ./src/deep/link/a/b", "cd link && rm -rf *", "echo x > link/a", "cp a link", "mv a link", "cp a link/", "tee link/a",
		"rm -rf */x", "rm -rf src/*/link/*", "rm -rf own/deep/link/x", "find link/ -delete", "chmod -R 777 link", "ln -sf src link", "cd link && rm -rf ../x", "cd src/deep/link; echo x > ../y",
		"rm -rf link/../x", "rm -rf src/deep/link/../x", "cp a link/../b", "echo x > ./link/../a", "rm -rf own/../link/../x",
	} {
		if why := there().Denial(line); why == "" {
			t.Errorf("%q is let through", line)
		}
	}
	for _, line := range []string{
		"rm link", "rm -rf link", "rm -f src/deep/link", "mv link other", "unlink link", "rm -rf own/*", "rm -rf own/deep/x", "echo x > own/a", "cp a own/", "rm -rf src/*", "rm -rf *", "rm -rf new/x",
		"ln -s src new && rm -rf new/*", "ls link/*", "cat link/a > a", "rm dangling", "echo x > src/deep/new", "rm -rf own/../x", "rm -rf src/../x", "cp a own/../src/b", "rm -rf src/deep/../../x", "echo x > nowhere/../a",
	} {
		if why := there().Denial(line); why != "" {
			t.Errorf("%q is refused: %s", line, why)
		}
	}
}
