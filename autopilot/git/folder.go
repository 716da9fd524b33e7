package git

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"autopilot/autopilot/git/disk"
	"autopilot/autopilot/plainfile"
)

// Root is the absolute path of the working tree's top folder.
func (r *runner) Root() string { return r.root }

// GitDir is the absolute path of this working tree's own git folder.
func (r *runner) GitDir() string { return r.gitDir }

// CommonDir is the absolute path of the git folder that all working trees of the repository share.
func (r *runner) CommonDir() string { return r.commonDir }

func (r *runner) newHash() hash.Hash {
	if r.longIDs {
		return sha256.New()
	}
	return sha1.New()
}

// zeroID is what git writes where there is no object.
func (r *runner) zeroID() string { return strings.Repeat("0", 2*r.newHash().Size()) }

// tempFile makes an empty file in the repository's own git folder, which nothing else reads.
func (r *runner) tempFile(pattern string) (string, error) {
	dir := filepath.Join(r.gitDir, "autopilot")
	if err := plainfile.MakeFolder(dir); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return "", err
	}
	return f.Name(), f.Close()
}

// split cuts git's output at a separator; an empty output has no parts.
func split(out []byte, separator byte) []string {
	out = bytes.TrimSuffix(out, []byte{separator})
	if len(out) == 0 {
		return nil
	}
	return strings.Split(string(out), string(rune(separator)))
}

// Replace writes a file of the git folder in one go, also where its folder is missing. What lies in the program's part is private.
func (r *runner) Replace(name string, data []byte) error {
	own := filepath.Join(r.gitDir, "autopilot")
	if err := errors.Join(plainfile.MakeFolder(own), os.MkdirAll(filepath.Dir(name), 0o755)); err != nil {
		return err
	}
	if strings.HasPrefix(name, own+string(filepath.Separator)) {
		return replaceBy(own, name, data, plainfile.PrivateFile)
	}
	return replaceBy(own, name, data, 0o644)
}

// replaceBy writes a file in one go, by way of a temporary one in a folder that the next run clears.
func replaceBy(folder, name string, data []byte, mode fs.FileMode) error {
	f, err := os.CreateTemp(folder, ".autopilot-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

func (r *runner) openDisk() (disk.Disk, error) {
	return disk.Open(r.root, filepath.Join(r.gitDir, "autopilot"), r.blobID)
}

func (r *runner) indexPath() string { return filepath.Join(r.gitDir, "index") }

// blobID is the id that git gives to a blob of these bytes.
func (r *runner) blobID(data []byte) string {
	h := r.newHash()
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}
