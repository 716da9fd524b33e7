package storage

import (
	"io"
	"io/fs"
)

// Disk is the part of a file system that the stores need. Tests put one in between that fails, shortens or stops at a
// chosen operation: see the package faulty.
type Disk interface {
	// OpenFile is os.OpenFile.
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	ReadFile(name string) ([]byte, error)
	ReadDir(name string) ([]fs.DirEntry, error)
	Lstat(name string) (fs.FileInfo, error)
	Mkdir(name string, perm fs.FileMode) error
	MkdirAll(name string, perm fs.FileMode) error
	Rename(from, to string) error
	Link(from, to string) error
	Remove(name string) error
	RemoveAll(name string) error
	// SyncFolder makes the names in a folder durable.
	SyncFolder(name string) error
}

// File is an open file of a Disk.
type File interface {
	io.ReaderAt
	io.Writer
	io.WriterAt
	Truncate(size int64) error
	Sync() error
	Close() error
}
