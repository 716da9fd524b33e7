//go:build unix

package sessions

import (
	"io/fs"
	"os"
	"syscall"
)

// isStrangers says whether a file in a session's inbox belongs to somebody else, neither to whom the session belongs, nor
// to whoever runs the program, nor to root, where everybody may write to the inbox or to the session's folder, or where
// the inbox is somebody else's as well.
func isStrangers(session, inbox, file fs.FileInfo) bool {
	forAll := (session.Mode().Perm()|inbox.Mode().Perm())&0o002 != 0
	return isForeign(session, file) && (forAll || isForeign(session, inbox))
}

func isForeign(session, other fs.FileInfo) bool {
	of, known := other.Sys().(*syscall.Stat_t)
	home, both := session.Sys().(*syscall.Stat_t)
	return known && both && of.Uid != 0 && of.Uid != home.Uid && int(of.Uid) != os.Geteuid()
}
