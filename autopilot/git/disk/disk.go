// Package disk is a working tree as files: what lies at a path, byte for byte, and how a file is put there so that nobody sees
// half of it and nothing that is in its way is lost. It knows neither the index nor commits, and follows no link out of the tree.
//
//	d, err := disk.Open(repo.Root(), staging, blobID)
//	file, data, err := d.Load("cmd/main.go")
package disk

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// File is the exact state of one path on disk.
type File struct {
	Path string
	Mode string // git's: "100644", "100755" (executable), "120000" (symbolic link); "" when nothing is there
	Blob string // git's id of the bytes as they are, without line-ending conversion or filters; "" when not read
	Size int64  // bytes; of a link, those of its target's name
}

// fileJSON carries a name that is no valid UTF-8 as hexadecimal digits, because JSON would replace its bytes.
type fileJSON struct {
	Path    string `json:"path,omitempty"`
	PathHex string `json:"pathHex,omitempty"`
	Mode    string `json:"mode,omitempty"`
	Blob    string `json:"blob,omitempty"`
	Size    int64  `json:"size,omitempty"`
}

// MarshalJSON keeps every path exactly.
func (f File) MarshalJSON() ([]byte, error) {
	j := fileJSON{Path: f.Path, Mode: f.Mode, Blob: f.Blob, Size: f.Size}
	if !utf8.ValidString(f.Path) {
		j.Path, j.PathHex = "", hex.EncodeToString([]byte(f.Path))
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (f *File) UnmarshalJSON(data []byte) error {
	var j fileJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	exact, err := hex.DecodeString(j.PathHex)
	*f = File{Path: j.Path + string(exact), Mode: j.Mode, Blob: j.Blob, Size: j.Size}
	return err
}

// Disk is the working tree as files. It is confined: a link that leads out of the tree is not followed.
type Disk struct {
	*os.Root
	blobID  func([]byte) string
	staging string // the folder in which a file is written before it is renamed to its place
}

// Open opens the working tree in the folder root.
func Open(root, staging string, blobID func([]byte) string) (Disk, error) {
	opened, err := os.OpenRoot(root)
	return Disk{opened, blobID, staging}, err
}

// Look tells what is at a path without reading it. Folders, devices and whatever lies behind a link count as nothing:
// git would see nothing there either.
func (d Disk) Look(name string) (File, error) {
	if d.Blocker(name) != "" {
		return File{Path: name}, nil
	}
	info, err := d.Lstat(filepath.FromSlash(name))
	if errors.Is(err, fs.ErrNotExist) {
		return File{Path: name}, nil
	}
	if err != nil {
		return File{}, err
	}
	return File{Path: name, Mode: modeOf(info), Size: info.Size()}, nil
}

func modeOf(info fs.FileInfo) string {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return "120000"
	case !info.Mode().IsRegular():
		return ""
	case info.Mode()&0o100 != 0:
		return "100755"
	}
	return "100644"
}

// Load is Look together with the bytes and their blob; where there is nothing both are empty.
func (d Disk) Load(name string) (File, []byte, error) {
	f, err := d.Look(name)
	if err != nil || f.Mode == "" {
		return f, nil, err
	}
	var data []byte
	if f.Mode == "120000" {
		var target string
		target, err = d.Readlink(filepath.FromSlash(name))
		data = []byte(target)
	} else {
		data, err = d.ReadFile(filepath.FromSlash(name))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return File{Path: name}, nil, nil
	}
	f.Size, f.Blob = int64(len(data)), d.blobID(data)
	return f, data, err
}

// Blocker is the first of a path's parents that is something other than a folder; "" when none is.
func (d Disk) Blocker(name string) string {
	parts := strings.Split(path.Dir(name), "/")
	for i := range parts {
		parent := strings.Join(parts[:i+1], "/")
		info, err := d.Lstat(filepath.FromSlash(parent))
		if err == nil && !info.IsDir() {
			return parent
		}
	}
	return ""
}

// Delete deletes a file and the folders that it leaves empty. Nothing there is no error.
func (d Disk) Delete(name string) error {
	if d.Blocker(name) != "" {
		return nil
	}
	if err := d.Remove(filepath.FromSlash(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if d.Remove(filepath.FromSlash(dir)) != nil {
			break
		}
	}
	return nil //nolint:nilerr // a folder that cannot be removed holds something, and stays
}
