package taskfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestAFolderThatCannotBeWrittenIsTold(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	s := storeWith(t, "{}")
	if err := os.Chmod(s.Root, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(s.Root, 0o755) })
	err := s.Update(t.Context(), func(l *TaskList) error { l.SessionCount++; return nil })
	if !errors.Is(err, fs.ErrPermission) || text(t, s, FileName) != "{}" {
		t.Errorf("error %v", err)
	}
}

func TestADiskThatRefusesLeavesTheFileAsItWas(t *testing.T) {
	for name, read := range map[string]string{"whole": "{}", "damaged": "damaged"} {
		t.Run(name, func(t *testing.T) {
			s := storeWith(t, read)
			write(t, s, BackupName, "{}")
			s.Disk = full{}
			err := s.Update(t.Context(), func(l *TaskList) error { l.SessionCount++; return nil })
			if !errors.Is(err, errFull) || text(t, s, FileName) != read {
				t.Errorf("error %v, file %s", err, text(t, s, FileName))
			}
			if lock, err := lockFolder(s.Root); err != nil || exists(lock) {
				t.Error("the lock is still there")
			}
			empty := storeIn(t, t.TempDir())
			empty.Disk = full{}
			if err := empty.Create(TaskList{}); !errors.Is(err, errFull) || exists(empty.Path()) {
				t.Errorf("Create: %v", err)
			}
		})
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func TestRootIsResolvedBeforeItsLockIsNamed(t *testing.T) {
	root := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Skip(err)
	}
	direct, errA := lockFolder(root)
	linked, errB := lockFolder(filepath.Join(link, "..", "link"))
	if errA != nil || errB != nil || direct != linked {
		t.Errorf("%s (%v), %s (%v)", direct, errA, linked, errB)
	}
}
