package inmemory

import "golang.org/x/sys/unix"

// Dir is a folder whose files lie in memory; "" where there is none with room.
func Dir() string {
	const dir, room = "/dev/shm", 4 << 30
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) != nil || fs.Type != unix.TMPFS_MAGIC || fs.Flags&unix.ST_NOEXEC != 0 || fs.Bavail*uint64(fs.Bsize) < room ||
		unix.Access(dir, unix.W_OK) != nil {
		return ""
	}
	return dir
}
