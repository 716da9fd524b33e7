//go:build unix

package sessions

import (
	"io/fs"
	"os"
	"syscall"
)

// isStrangers says whether a file in a folder that everybody may write to belongs to somebody else: neither to whom the
// folder belongs, nor to whoever runs the program, nor to root.
func isStrangers(folder, file fs.FileInfo) bool {
	if folder.Mode().Perm()&0o002 == 0 {
		return false
	}
	of, known := file.Sys().(*syscall.Stat_t)
	in, both := folder.Sys().(*syscall.Stat_t)
	return known && both && of.Uid != 0 && of.Uid != in.Uid && int(of.Uid) != os.Geteuid()
}
