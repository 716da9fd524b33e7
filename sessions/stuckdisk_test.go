package sessions

import (
	"errors"
	"io/fs"

	"autopilot/sessions/faulty"
	"autopilot/sessions/storage"
)

// stuckDisk has files that cannot be made shorter once stuck is set.
type stuckDisk struct {
	storage.Disk
	stuck bool
}

type stuckFile struct {
	storage.File
	disk *stuckDisk
}

func (d *stuckDisk) OpenFile(name string, flag int, perm fs.FileMode) (storage.File, error) {
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
		return faulty.ErrFault
	}
	return f.File.Truncate(size)
}

// noLinks is a file system without hard links.
type noLinks struct{ *memDisk }

func (noLinks) Link(string, string) error { return errors.ErrUnsupported }
