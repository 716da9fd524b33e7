package worktree

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"autopilot/autopilot/plainfile"
)

// leadsBackError says that packages which a new working tree would have point at the old one: an editable install of the
// project, or an absolute link. Tests there would test the old tree.
type leadsBackError struct{ path, file string }

func (e *leadsBackError) Error() string {
	return fmt.Sprintf("%s leads back to this working tree (an editable install, or an absolute link), so that tests in the new one would test the old files\n"+
		"In autopilot.yaml, leave %s out of worktree.copy, and have worktree.setup make it again, such as: %s", e.file, e.path, installing(e.path))
}

// maxPointer is the size up to which a file that may name another folder is read, in bytes.
const maxPointer = 1 << 18

// leadsBack looks in an ignored path that is about to be copied for what names the tree that it lies in: the files by
// which Python installs a project in place (.pth, .egg-link, __editable__…, direct_url.json), and absolute links (npm
// link).
func leadsBack(root, path string) error {
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return err
	}
	own := filepath.Join(root, path)
	return filepath.WalkDir(own, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && os.IsNotExist(err):
			return nil
		case err != nil || d.IsDir():
			return err
		case d.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(file)
			if err == nil && filepath.IsAbs(target) && names([]byte(target), root, real, path) {
				return &leadsBackError{path, plainfile.Rel(root, file)}
			}
			return err
		case pointsElsewhere(d.Name()):
			info, err := d.Info()
			if err != nil || info.Size() > maxPointer {
				return err
			}
			data, err := os.ReadFile(file)
			if err == nil && names(data, root, real, path) {
				return &leadsBackError{path, plainfile.Rel(root, file)}
			}
			return err
		}
		return nil
	})
}

// seesOldError says that a new working tree finds packages of the old one, which lead to the old one's files.
type seesOldError struct{ link, target string }

func (e *seesOldError) Error() string {
	return fmt.Sprintf("%s leads to %s of this working tree (a workspace, or npm link). A new working tree lies in this one and finds it there, so that tests would test the old files\n%s",
		e.link, e.target, bringing(modules))
}

const modules = "node_modules"

// seesOld looks at the packages that node finds upwards of a new working tree inside of the old one, where it has none of
// its own: a link among them to the old one's own files (npm workspaces) would have those tested.
func seesOld(from, to string) error {
	old, err := filepath.EvalSymlinks(from)
	if err != nil {
		return err
	}
	dir, err := filepath.EvalSymlinks(to)
	if err != nil || !Inside(old, dir) {
		return err
	}
	if _, err := os.Lstat(filepath.Join(dir, modules)); err == nil {
		return nil
	}
	for _, link := range linkedPackages(filepath.Join(old, modules)) {
		target, err := filepath.EvalSymlinks(link)
		if err == nil && Inside(old, target) && !Inside(filepath.Join(old, modules), target) {
			return &seesOldError{plainfile.Rel(old, link), plainfile.Rel(old, target)}
		}
	}
	return nil
}

// linkedPackages are the links among the packages of a folder, those of a scope (@name/…) too.
func linkedPackages(dir string) []string {
	var links []string
	entries, _ := os.ReadDir(dir) // it need not exist
	for _, entry := range entries {
		name := filepath.Join(dir, entry.Name())
		if entry.Type()&fs.ModeSymlink != 0 {
			links = append(links, name)
		} else if strings.HasPrefix(entry.Name(), "@") {
			links = append(links, linkedPackages(name)...)
		}
	}
	return links
}

func pointsElsewhere(name string) bool {
	return strings.HasSuffix(name, ".pth") || strings.HasSuffix(name, ".egg-link") ||
		strings.HasPrefix(name, "__editable__") || name == "direct_url.json"
}

// names says whether a text names the tree, or something in it outside of the copied path itself.
func names(text []byte, root, real, path string) bool {
	for _, tree := range []string{root, real} {
		for rest := text; ; {
			_, after, found := bytes.Cut(rest, []byte(filepath.ToSlash(tree)))
			if !found {
				break
			}
			inside := strings.TrimLeft(string(after[:min(len(after), len(path)+1)]), "/")
			ends := len(after) == 0 || !isNamePart(after[0])
			if ends && !strings.HasPrefix(inside, filepath.ToSlash(path)) {
				return true
			}
			rest = after
		}
	}
	return false
}

// isNamePart says whether a file's name may go on with this byte.
func isNamePart(c byte) bool {
	return c == '-' || c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
