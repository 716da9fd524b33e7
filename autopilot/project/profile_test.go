package project

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write what a scan finds into testdata")

// TestProjectsAreDescribed scans the projects of testdata: files below tree/, and what the scan has to make of them,
// profile.json, and init.sh where there is something to install.
func TestProjectsAreDescribed(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no projects: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p := scan(t, archive)
			text, err := p.Encode()
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{"profile.json": string(text), "init.sh": InitScript(p)}
			if *update {
				rewrite(t, file, archive, got)
			}
			want := map[string]string{"init.sh": ""}
			for _, f := range archive.Files {
				if !strings.HasPrefix(f.Name, "tree/") {
					want[f.Name] = string(f.Data)
				}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// scan lays the tree of an archive out and scans it, its paths in the wrong order and some twice.
func scan(t *testing.T, archive *txtar.Archive) Profile {
	t.Helper()
	root, paths := t.TempDir(), []string{}
	for _, f := range archive.Files {
		if name, ok := strings.CutPrefix(f.Name, "tree/"); ok {
			put(t, root, name, string(f.Data))
			paths = append(paths, name)
		}
	}
	slices.Reverse(paths)
	p, err := Scan(root, append(paths, paths...))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func put(t *testing.T, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func rewrite(t *testing.T, file string, archive *txtar.Archive, got map[string]string) {
	t.Helper()
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return !strings.HasPrefix(f.Name, "tree/") })
	for _, name := range []string{"profile.json", "init.sh"} {
		if got[name] != "" {
			archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(got[name])})
		}
	}
	if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}
