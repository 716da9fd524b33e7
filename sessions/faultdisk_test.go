package sessions

import (
	"errors"
	"io/fs"
	"path/filepath"
)

var (
	errFault  = errors.New("input/output error")
	errKilled = errors.New("the process is dead")
)

// fault says what happens at the chosen operation of a faultDisk.
type fault int

const (
	fail  fault = iota // it fails, and the next ones work
	short              // a write writes half and fails; else as fail
	stop               // the process is killed before it: nothing works any more
	tear               // the process is killed in the middle of a write; else as stop
)

// faultDisk counts the operations of another disk and does something to the n-th.
type faultDisk struct {
	Disk
	at       int
	kind     fault
	ops      int
	trace    []string
	lostSync bool // a sync of the journal failed
}

func (d *faultDisk) op(what, name string) error {
	d.ops++
	d.trace = append(d.trace, what+" "+filepath.Base(name))
	switch {
	case d.ops == d.at && d.kind <= short:
		return errFault
	case d.at > 0 && d.ops >= d.at && d.kind >= stop:
		return errKilled
	}
	return nil
}

func (d *faultDisk) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	if err := d.op("open", name); err != nil {
		return nil, err
	}
	f, err := d.Disk.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return &faultFile{File: f, disk: d, name: name}, nil
}

func (d *faultDisk) ReadFile(name string) ([]byte, error) {
	if err := d.op("read", name); err != nil {
		return nil, err
	}
	return d.Disk.ReadFile(name)
}

func (d *faultDisk) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := d.op("list", name); err != nil {
		return nil, err
	}
	return d.Disk.ReadDir(name)
}

func (d *faultDisk) Lstat(name string) (fs.FileInfo, error) {
	if err := d.op("stat", name); err != nil {
		return nil, err
	}
	return d.Disk.Lstat(name)
}

func (d *faultDisk) MkdirAll(name string, perm fs.FileMode) error {
	if err := d.op("mkdir", name); err != nil {
		return err
	}
	return d.Disk.MkdirAll(name, perm)
}

func (d *faultDisk) Rename(from, to string) error {
	if err := d.op("rename", to); err != nil {
		return err
	}
	return d.Disk.Rename(from, to)
}

func (d *faultDisk) Link(from, to string) error {
	if err := d.op("link", to); err != nil {
		return err
	}
	return d.Disk.Link(from, to)
}

func (d *faultDisk) Remove(name string) error {
	if err := d.op("remove", name); err != nil {
		return err
	}
	return d.Disk.Remove(name)
}

func (d *faultDisk) SyncFolder(name string) error {
	if err := d.op("syncfolder", name); err != nil {
		return err
	}
	return d.Disk.SyncFolder(name)
}

type faultFile struct {
	File
	disk *faultDisk
	name string
}

func (f *faultFile) write(p []byte, do func([]byte) (int, error)) (int, error) {
	err := f.disk.op("write", f.name)
	if err == nil {
		return do(p)
	}
	if f.disk.ops == f.disk.at && (f.disk.kind == short || f.disk.kind == tear) {
		n, _ := do(p[:len(p)/2])
		return n, err
	}
	return 0, err
}

func (f *faultFile) Write(p []byte) (int, error) { return f.write(p, f.File.Write) }

func (f *faultFile) WriteAt(p []byte, off int64) (int, error) {
	return f.write(p, func(p []byte) (int, error) { return f.File.WriteAt(p, off) })
}

func (f *faultFile) Truncate(size int64) error {
	if err := f.disk.op("truncate", f.name); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

func (f *faultFile) Sync() error {
	if err := f.disk.op("sync", f.name); err != nil {
		f.disk.lostSync = f.disk.lostSync || filepath.Base(f.name) == journalName
		return err
	}
	return f.File.Sync()
}

func (f *faultFile) Close() error {
	err := f.disk.op("close", f.name)
	_ = f.File.Close() // a killed process closes its files too
	return err
}

// stuckDisk has files that cannot be made shorter once stuck is set.
type stuckDisk struct {
	Disk
	stuck bool
}

type stuckFile struct {
	File
	disk *stuckDisk
}

func (d *stuckDisk) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := d.Disk.OpenFile(name, flag, perm)
	return stuckFile{f, d}, err
}

func (f stuckFile) WriteAt(p []byte, off int64) (int, error) {
	if f.disk.stuck {
		n, _ := f.File.WriteAt(p[:len(p)/2], off)
		return n, nil // a short write without an error
	}
	return f.File.WriteAt(p, off)
}

func (f stuckFile) Truncate(size int64) error {
	if f.disk.stuck {
		return errFault
	}
	return f.File.Truncate(size)
}

// noLinks is a file system without hard links.
type noLinks struct{ *memDisk }

func (noLinks) Link(string, string) error { return errors.ErrUnsupported }
