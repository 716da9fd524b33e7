package hooks

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// CounterName is the name of the file that counts the reflections of a session, which programs in use share. An id that
// is not fit for a file name is changed so that two of them stay two.
func CounterName(session string) string {
	fit := func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.", r) {
			return r
		}
		return '_'
	}
	name := strings.Map(fit, clip(session, 64))
	if name != session {
		name += fmt.Sprintf("-%x", sha256.Sum256([]byte(session)))[:17]
	}
	return "claude-reflect-" + name
}

func readCount(path string) int {
	first, _, _ := strings.Cut(beginning(path, 64), "\n")
	n, err := strconv.Atoi(strings.TrimSpace(first))
	if err != nil {
		return 0
	}
	return max(n, 0)
}

// writeCount replaces the file instead of writing into it: in a folder that others share a link may stand in its place.
func writeCount(path string, n int) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(strconv.Itoa(n))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// beginning is the first bytes of a plain file; "" of anything else, a pipe or a device among them.
func beginning(path string, most int64) string {
	if path == "" || !isFile(path) {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	data, _ := io.ReadAll(io.LimitReader(f, most)) // what could be read is good enough
	return string(data)
}

func isFile(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}
