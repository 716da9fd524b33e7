package storage

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

func TestAFolderIsSearchedWhateverItsNameIs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[b]")
	for _, name := range []string{"1/x/file", "2/y/file", "2/y/other", "2/[z]/file", "note"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		patterns []string
		want     []string
	}{
		{[]string{"*", "*", "file"}, []string{"1/x/file", "2/[z]/file", "2/y/file"}},
		{[]string{"2", "y", "*"}, []string{"2/y/file", "2/y/other"}},
		{[]string{"n*"}, []string{"note"}},
		{[]string{"3", "*"}, nil},
	} {
		found, err := Below(OSDisk{}, dir, c.patterns...)
		var got []string
		for _, f := range found {
			rel, _ := filepath.Rel(dir, f)
			got = append(got, filepath.ToSlash(rel))
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, %v, want %v", c.patterns, got, err, c.want)
		}
	}
	if found, err := Below(OSDisk{}, filepath.Join(dir, "none"), "*"); err != nil || found != nil {
		t.Errorf("no folder: %v, %v", found, err)
	}
}

// unlistable is a disk that cannot list the folders of a name.
type unlistable struct {
	OSDisk
	name string
}

func (d unlistable) ReadDir(name string) ([]fs.DirEntry, error) {
	if filepath.Base(name) == d.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.EIO}
	}
	return d.OSDisk.ReadDir(name)
}

func TestAFolderThatCannotBeListedIsAnError(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "1", "x"), 0o700), os.WriteFile(filepath.Join(dir, "file"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if found, err := Below(unlistable{name: "x"}, dir, "*", "*", "*"); !errors.Is(err, syscall.EIO) {
		t.Errorf("a disk that fails: %v, %v", found, err)
	}
	if found, err := Below(OSDisk{}, filepath.Join(dir, "file"), "*"); err == nil {
		t.Errorf("a file as the folder: %v", found)
	}
}
