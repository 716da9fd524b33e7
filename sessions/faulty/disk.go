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
	if held, ok := f.(descriptor); ok {
		return heldFile{mine, held}, nil
	}
	return mine, nil
}

// ReadFile is an operation.
func (d *Disk) ReadFile(name string) ([]byte, error) {
	if err := d.op("read", name); err != nil {
		return nil, err
	}
	return d.Disk.ReadFile(name)
}

// ReadDir is an operation.
func (d *Disk) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := d.op("list", name); err != nil {
		return nil, err
	}
	return d.Disk.ReadDir(name)
}

// Lstat is an operation.
func (d *Disk) Lstat(name string) (fs.FileInfo, error) {
	if err := d.op("stat", name); err != nil {
		return nil, err
	}
	return d.Disk.Lstat(name)
}

// Mkdir is an operation.
func (d *Disk) Mkdir(name string, perm fs.FileMode) error {
	if err := d.op("mkdir", name); err != nil {
		return err
	}
	return d.Disk.Mkdir(name, perm)
}

// MkdirAll is an operation.
func (d *Disk) MkdirAll(name string, perm fs.FileMode) error {
	if err := d.op("mkdir", name); err != nil {
		return err
	}
	return d.Disk.MkdirAll(name, perm)
}

// Rename is an operation.
func (d *Disk) Rename(from, to string) error {
	if err := d.op("rename", to); err != nil {
		return err
	}
	return d.Disk.Rename(from, to)
}

// Link is an operation.
func (d *Disk) Link(from, to string) error {
	if err := d.op("link", to); err != nil {
		return err
	}
	return d.Disk.Link(from, to)
}

// Remove is an operation.
func (d *Disk) Remove(name string) error {
	if err := d.op("remove", name); err != nil {
		return err
	}
	return d.Disk.Remove(name)
}

// RemoveAll is an operation.
func (d *Disk) RemoveAll(name string) error {
	if err := d.op("remove", name); err != nil {
		return err
	}
	return d.Disk.RemoveAll(name)
}

// SyncFolder is an operation.
func (d *Disk) SyncFolder(name string) error {
	if err := d.op("syncfolder", name); err != nil {
		return err
	}
	return d.Disk.SyncFolder(name)
}

// descriptor is what a file of the operating system has, to be locked by.
type descriptor interface{ Fd() uintptr }

type heldFile struct {
	*file
	descriptor
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
	if err := f.disk.op("truncate", f.name); err != nil {
		return err
	}
	return f.File.Truncate(size)
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
