package sessions

import (
	"bytes"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"autopilot/sessions/storage"
)

// memDisk is a Disk in memory that knows what a power cut would leave: the bytes of each file at its last sync, and
// the names of each folder at its last sync, with the changes of names since then in their order.
type memDisk struct {
	names   map[string]*inode
	synced  map[string]*inode
	pending []change
}

type inode struct{ data, synced []byte }

// change is a change of one name; node is nil when it was removed. A rename is one change of two names.
type change []nameChange

type nameChange struct {
	name string
	node *inode
}

func newMemDisk() *memDisk { return &memDisk{names: map[string]*inode{}, synced: map[string]*inode{}} }

// put sets files of dir, durably, and removes all others.
func (d *memDisk) put(dir string, files map[string]string) {
	d.names, d.pending = map[string]*inode{}, nil
	for name, text := range files {
		d.names[filepath.Join(dir, name)] = &inode{data: []byte(text), synced: []byte(text)}
	}
	d.synced = maps.Clone(d.names)
}

// get is the text of a file, by its name in the one folder that there is.
func (d *memDisk) get(t *testing.T, name string) string {
	t.Helper()
	for path, node := range d.names {
		if filepath.Base(path) == name {
			return string(node.data)
		}
	}
	t.Fatalf("there is no %s, but %q", name, d.list())
	return ""
}

func (d *memDisk) list() []string {
	var all []string
	for path := range d.names {
		all = append(all, filepath.Base(path))
	}
	slices.Sort(all)
	return all
}

func (d *memDisk) apply(c change) {
	d.pending = append(d.pending, c)
	c.on(d.names)
}

func (c change) on(names map[string]*inode) {
	for _, n := range c {
		if n.node == nil {
			delete(names, n.name)
		} else {
			names[n.name] = n.node
		}
	}
}

func missing(op, name string) error { return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist} }

func (d *memDisk) OpenFile(name string, flag int, _ fs.FileMode) (storage.File, error) {
	node := d.names[name]
	switch {
	case node == nil && flag&os.O_CREATE == 0:
		return nil, missing("open", name)
	case node != nil && flag&os.O_EXCL != 0:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrExist}
	case node == nil:
		node = &inode{}
		d.apply(change{{name, node}})
	}
	return &memFile{node: node}, nil
}

func (d *memDisk) ReadFile(name string) ([]byte, error) {
	if node := d.names[name]; node != nil {
		return bytes.Clone(node.data), nil
	}
	return nil, missing("open", name)
}

func (d *memDisk) ReadDir(dir string) ([]fs.DirEntry, error) {
	var all []fs.DirEntry
	for _, path := range slices.Sorted(maps.Keys(d.names)) {
		if filepath.Dir(path) == dir {
			all = append(all, fs.FileInfoToDirEntry(memInfo{path, int64(len(d.names[path].data)), 0}))
		}
	}
	return all, nil
}

func (d *memDisk) Lstat(name string) (fs.FileInfo, error) {
	if node := d.names[name]; node != nil {
		return memInfo{name, int64(len(node.data)), 0}, nil
	}
	for path := range d.names {
		if strings.HasPrefix(path, name+string(filepath.Separator)) {
			return memInfo{name, 0, fs.ModeDir}, nil
		}
	}
	return nil, missing("lstat", name)
}

func (d *memDisk) Mkdir(name string, perm fs.FileMode) error { return os.Mkdir(name, perm) }

func (d *memDisk) RemoveAll(name string) error { return os.RemoveAll(name) }

// MkdirAll makes the folder on the real disk, for the lock: folders here are there when they have files.
func (d *memDisk) MkdirAll(name string, perm fs.FileMode) error { return os.MkdirAll(name, perm) }

// Rename does nothing where both names are of one file, as POSIX wants it.
func (d *memDisk) Rename(from, to string) error {
	node := d.names[from]
	if node == nil {
		return missing("rename", from)
	}
	if node != d.names[to] {
		d.apply(change{{from, nil}, {to, node}})
	}
	return nil
}

func (d *memDisk) Link(from, to string) error {
	node := d.names[from]
	if node == nil {
		return missing("link", from)
	}
	if d.names[to] != nil {
		return &fs.PathError{Op: "link", Path: to, Err: fs.ErrExist}
	}
	d.apply(change{{to, node}})
	return nil
}

func (d *memDisk) Remove(name string) error {
	if d.names[name] == nil {
		return missing("remove", name)
	}
	d.apply(change{{name, nil}})
	return nil
}

func (d *memDisk) SyncFolder(dir string) error {
	if slices.ContainsFunc(slices.Collect(maps.Keys(d.names)), func(path string) bool { return filepath.Dir(path) == dir }) {
		d.synced, d.pending = maps.Clone(d.names), nil
	}
	return nil
}

type memFile struct {
	node *inode
	at   int64
}

func (f *memFile) ReadAt(p []byte, off int64) (int, error) {
	return bytes.NewReader(f.node.data).ReadAt(p, off)
}

func (f *memFile) Write(p []byte) (int, error) {
	n, err := f.WriteAt(p, f.at)
	f.at += int64(n)
	return n, err
}

func (f *memFile) WriteAt(p []byte, off int64) (int, error) {
	if gap := off + int64(len(p)) - int64(len(f.node.data)); gap > 0 {
		f.node.data = append(f.node.data, make([]byte, gap)...)
	}
	return copy(f.node.data[off:], p), nil
}

func (f *memFile) Truncate(size int64) error {
	if size > int64(len(f.node.data)) {
		return io.ErrUnexpectedEOF
	}
	f.node.data = f.node.data[:size:size]
	return nil
}

func (f *memFile) Sync() error {
	f.node.synced = bytes.Clone(f.node.data)
	return nil
}

func (f *memFile) Close() error { return nil }

type memInfo struct {
	path string
	size int64
	mode fs.FileMode
}

func (i memInfo) Name() string       { return filepath.Base(i.path) }
func (i memInfo) Size() int64        { return i.size }
func (i memInfo) Mode() fs.FileMode  { return i.mode }
func (i memInfo) ModTime() time.Time { return noon }
func (i memInfo) IsDir() bool        { return i.mode.IsDir() }
func (i memInfo) Sys() any           { return nil }

// powerCuts are the disks that a power cut at this moment could leave: of the changes of names since the last sync of
// the folder each prefix, and each one missing; of the bytes since the last sync of a file all, none, half, or zeros.
func (d *memDisk) powerCuts() []*memDisk {
	var orders [][]change
	for i := range len(d.pending) + 1 {
		orders = append(orders, d.pending[:i])
		if i < len(d.pending) {
			orders = append(orders, slices.Concat(d.pending[:i], d.pending[i+1:]))
		}
	}
	var disks []*memDisk
	for _, order := range orders {
		for _, left := range []func(*inode) []byte{kept0, lost, half, zeros} {
			names := maps.Clone(d.synced)
			for _, c := range order {
				c.on(names)
			}
			after := newMemDisk()
			nodes := map[*inode]*inode{}
			for path, node := range names {
				if nodes[node] == nil {
					data := left(node)
					nodes[node] = &inode{data: data, synced: bytes.Clone(data)}
				}
				after.names[path] = nodes[node]
			}
			after.synced = maps.Clone(after.names)
			disks = append(disks, after)
		}
	}
	return disks
}

func kept0(n *inode) []byte { return bytes.Clone(n.data) }
func lost(n *inode) []byte  { return bytes.Clone(n.synced) }

func half(n *inode) []byte {
	return bytes.Clone(n.data[:min(len(n.data), (len(n.data)+len(n.synced))/2)])
}

func zeros(n *inode) []byte {
	data := bytes.Clone(n.data)
	if len(data) > len(n.synced) {
		clear(data[len(n.synced):])
	}
	return data
}
