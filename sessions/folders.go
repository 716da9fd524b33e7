package sessions

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"autopilot/autopilot/plainfile"
	"autopilot/sessions/format"
	"autopilot/sessions/storage"
)

// Folders are those of a session's folder in which the work of dispatches is kept.
type Folders struct{ dir string }

// AttemptDir makes and returns attempts/<phase>/<what>/<n>, where prompt, output and reply of a dispatch are kept.
// phase and n count from 1; what is a task's id or a persona's name.
func (s Folders) AttemptDir(phase int, what string, n int) (string, error) {
	if err := format.CheckName(what); err != nil {
		return "", err
	}
	dir, err := s.folder("attempts", strconv.Itoa(phase), what, strconv.Itoa(n))
	if err != nil {
		return "", fmt.Errorf("making the folder of an attempt: %w", err)
	}
	entries, err := os.ReadDir(dir)
	for _, entry := range entries {
		if entry.Type()&fs.ModeSymlink != 0 { // somebody expected the name of what is to be written
			return "", &plainfile.LinkError{Path: join(dir, entry.Name())}
		}
	}
	return dir, err
}

// folder makes a folder of the session. It refuses a link in its place, and on the way to it.
func (s Folders) folder(names ...string) (string, error) {
	dir := s.dir
	for _, name := range names {
		dir = join(dir, name)
		if err := plainfile.Folder(dir); err != nil {
			return "", err
		}
	}
	return dir, plainfile.MakeFolder(dir)
}

// SetAttemptsAside renames what earlier work left in attempts/<phase>, so that work on a phase that starts over at that
// position does not write over it. Without such a folder it does nothing.
func (s Folders) SetAttemptsAside(phase int) error {
	dir := join(s.dir, "attempts", strconv.Itoa(phase))
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	aside, err := storage.FreeName(storage.OSDisk{}, dir, ".earlier")
	if err == nil {
		err = os.Rename(dir, aside)
	}
	if err != nil {
		return fmt.Errorf("setting earlier attempts aside: %w", err)
	}
	return nil
}

// KeepScratchpad copies what a dispatch left in its scratchpad to the session, where the phase's later dispatches get
// it from. Only plain files are taken.
func (s Folders) KeepScratchpad(phase int, out string) error {
	if err := plainfile.Folder(join(s.dir, "scratchpad")); err != nil {
		return fmt.Errorf("keeping a scratchpad: %w", err)
	}
	return copyTree(join(out, "scratchpad"), s.scratchpad(phase))
}

// FillScratchpad copies what the session kept of a phase's scratchpads into that of a new dispatch.
func (s Folders) FillScratchpad(phase int, out string) error {
	return copyTree(s.scratchpad(phase), join(out, "scratchpad"))
}

// ClearScratchpad removes what was kept of a phase's scratchpads.
func (s Folders) ClearScratchpad(phase int) error {
	if err := os.RemoveAll(s.scratchpad(phase)); err != nil {
		return fmt.Errorf("clearing the scratchpad: %w", err)
	}
	return nil
}

func (s Folders) scratchpad(phase int) string {
	return join(s.dir, "scratchpad", strconv.Itoa(phase))
}

// maxScratch is the size above which a file in a scratchpad is left behind: notes are small.
const maxScratch = 10 << 20

// copyTree copies the plain files of a folder; links are not followed, neither in it nor out of it. No folder, nothing
// to copy.
func copyTree(from, to string) error {
	src, err := os.OpenRoot(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("copying a scratchpad: %w", err)
	}
	defer src.Close()
	if err := plainfile.MakeFolder(to); err != nil {
		return fmt.Errorf("copying a scratchpad: %w", err)
	}
	dst, err := os.OpenRoot(to)
	if err != nil {
		return fmt.Errorf("copying a scratchpad: %w", err)
	}
	defer dst.Close()
	err = fs.WalkDir(src.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != ".":
			return errIfNew(dst.Mkdir(name, plainfile.PrivateFolder))
		case !entry.Type().IsRegular():
			return nil
		}
		return copyPlain(src, dst, name, entry)
	})
	if err != nil {
		return fmt.Errorf("copying a scratchpad: %w", err)
	}
	return nil
}

func errIfNew(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

func copyPlain(src, dst *os.Root, name string, entry fs.DirEntry) error {
	if info, err := entry.Info(); err != nil || info.Size() > maxScratch {
		return err
	}
	in, err := src.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := dst.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, plainfile.PrivateFile)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

func join(parts ...string) string { return filepath.Join(parts...) }
