//go:build unix

package supervise

import (
	"os"
	"strconv"
	"syscall"
	"time"
)

// MarkEnded notes in a file that a tree whose caller died has ended now. The file holds its own number in the file system: a
// copy of the repository is known by having another one. It appears whole, and keeps the time at which it was written.
func MarkEnded(path string) {
	_ = os.Remove(path + ".new") // whoever put a link there would have it written to elsewhere
	file, err := os.OpenFile(path+".new", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return // for the next run; there is nobody to tell of an error
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil {
		_, _ = file.WriteString(number(info))
		_ = os.Rename(file.Name(), path)
	}
}

// EndedAt is when that was; zero: not known. In a copy every file shows when it was copied, so that nothing can be compared
// with that time.
func EndedAt(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	if noted, err := os.ReadFile(path); err != nil || string(noted) != number(info) {
		return time.Time{}
	}
	return info.ModTime()
}

func number(info os.FileInfo) string {
	stat, _ := info.Sys().(*syscall.Stat_t) // as on every Unix
	return strconv.FormatUint(uint64(stat.Ino), 10)
}
