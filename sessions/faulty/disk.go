// Package faulty is a disk for tests that does something to a chosen operation: it fails it, shortens it, or ends there as
// a killed process does. Stores are put on it, for every operation in turn.
package faulty

import (
	"errors"
	"io/fs"
	"path/filepath"

	"autopilot/sessions/storage"
)

// What a chosen operation, and after a kill every one, ends with.
var (
	ErrFault  = errors.New("input/output error")
	ErrKilled = errors.New("the process is dead")
)

// Fault says what happens at the chosen operation of a Disk.
type Fault int

// What may happen.
const (
	Fail  Fault = iota // it fails, and the next ones work
	Short              // a write writes half and fails; else as Fail
	Stop               // the process is killed before it: nothing works any more
	Tear               // the process is killed in the middle of a write; else as Stop
)

// Disk counts the operations of another disk and does something to the n-th.
type Disk struct {
	storage.Disk
	At       int // which one, from 1; 0: none
	Kind     Fault
	Ops      int      // so many there were
	Trace    []string // what they were
	LostSync bool     // a sync of a journal failed
}

func (d *Disk) op(what, name string) error {
	d.Ops++
	d.Trace = append(d.Trace, what+" "+filepath.Base(name))
	switch {
	case d.Ops == d.At && d.Kind <= Short:
		return ErrFault
	case d.At > 0 && d.Ops >= d.At && d.Kind >= Stop:
		return ErrKilled
	}
	return nil
}

// OpenFile is an operation.
func (d *Disk) OpenFile(name string, flag int, perm fs.FileMode) (storage.File, error) {
	if err := d.op("open", name); err != nil {
		return nil, err
	}
	f, err := d.Disk.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	mine := &file{File: f, disk: d, name: name}
	if held, ok := f.(storage.Descriptor); ok {
		return heldFile{mine, held}, nil
	}
	return mine, nil
}

// ReadFile is an operation.
func (d *Disk) ReadFile(name string) ([]byte, error) {
	return done(d, "read", name, func() ([]byte, error) { return d.Disk.ReadFile(name) })
}

// ReadDir is an operation.
func (d *Disk) ReadDir(name string) ([]fs.DirEntry, error) {
	return done(d, "list", name, func() ([]fs.DirEntry, error) { return d.Disk.ReadDir(name) })
}

// Lstat is an operation.
func (d *Disk) Lstat(name string) (fs.FileInfo, error) {
	return done(d, "stat", name, func() (fs.FileInfo, error) { return d.Disk.Lstat(name) })
}

// Mkdir is an operation.
func (d *Disk) Mkdir(name string, perm fs.FileMode) error {
	return d.do("mkdir", name, func() error { return d.Disk.Mkdir(name, perm) })
}

// MkdirAll is an operation.
func (d *Disk) MkdirAll(name string, perm fs.FileMode) error {
	return d.do("mkdir", name, func() error { return d.Disk.MkdirAll(name, perm) })
}

// Rename is an operation.
func (d *Disk) Rename(from, to string) error {
	return d.do("rename", to, func() error { return d.Disk.Rename(from, to) })
}

// Link is an operation.
func (d *Disk) Link(from, to string) error {
	return d.do("link", to, func() error { return d.Disk.Link(from, to) })
}

// Remove is an operation.
func (d *Disk) Remove(name string) error {
	return d.do("remove", name, func() error { return d.Disk.Remove(name) })
}

// RemoveAll is an operation.
func (d *Disk) RemoveAll(name string) error {
	return d.do("remove", name, func() error { return d.Disk.RemoveAll(name) })
}

// SyncFolder is an operation.
func (d *Disk) SyncFolder(name string) error {
	return d.do("syncfolder", name, func() error { return d.Disk.SyncFolder(name) })
}

// do is an operation, unless it ends before.
func (d *Disk) do(what, name string, do func() error) error {
	if err := d.op(what, name); err != nil {
		return err
	}
	return do()
}

// done is an operation with a result, unless it ends before.
func done[T any](d *Disk, what, name string, do func() (T, error)) (result T, err error) {
	err = d.do(what, name, func() error {
		result, err = do()
		return err
	})
	return result, err
}

type heldFile struct {
	*file
	storage.Descriptor
}

type file struct {
	storage.File
	disk *Disk
	name string
}

func (f *file) write(p []byte, do func([]byte) (int, error)) (int, error) {
	err := f.disk.op("write", f.name)
	if err == nil {
		return do(p)
	}
	if f.disk.Ops == f.disk.At && (f.disk.Kind == Short || f.disk.Kind == Tear) {
		n, _ := do(p[:len(p)/2])
		return n, err
	}
	return 0, err
}

func (f *file) Write(p []byte) (int, error) { return f.write(p, f.File.Write) }

func (f *file) WriteAt(p []byte, off int64) (int, error) {
	return f.write(p, func(p []byte) (int, error) { return f.File.WriteAt(p, off) })
}

func (f *file) Truncate(size int64) error {
	return f.disk.do("truncate", f.name, func() error { return f.File.Truncate(size) })
}

func (f *file) Sync() error {
	if err := f.disk.op("sync", f.name); err != nil {
		f.disk.LostSync = f.disk.LostSync || filepath.Base(f.name) == "events.jsonl"
		return err
	}
	return f.File.Sync()
}

func (f *file) Close() error {
	err := f.disk.op("close", f.name)
	_ = f.File.Close() // a killed process closes its files too
	return err
}
