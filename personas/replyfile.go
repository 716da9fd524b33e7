package personas

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ReadReply reads the file in which a reply was left, by its path below root,
// which no link in that path can lead out of. The error is fs.ErrNotExist where
// nothing was left, and a *ReplyError for what is no plain file, cannot be
// read, or is larger than a reply may be.
func ReadReply(root *os.Root, name string) ([]byte, error) {
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fs.ErrNotExist
	case err != nil:
		return nil, &ReplyError{[]string{"it cannot be read: " + err.Error()}}
	case !info.Mode().IsRegular():
		return nil, &ReplyError{[]string{"it is " + kindOf(info.Mode()) + ", not a plain file"}}
	case info.Size() > maxReply:
		return nil, &ReplyError{[]string{fmt.Sprintf("it is larger than %d bytes", maxReply)}}
	}
	data, err := readFile(root, name)
	if err != nil {
		return nil, &ReplyError{[]string{"it cannot be read: " + err.Error()}}
	}
	return data, nil
}

func readFile(root *os.Root, name string) ([]byte, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxReply+1))
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	}
	return "a special file"
}
