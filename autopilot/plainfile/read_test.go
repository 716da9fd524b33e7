package plainfile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"autopilot/autopilot/plainfile"
)

func TestOnlyPlainFilesAreRead(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large")
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "a"), []byte("text"), 0o600), os.WriteFile(large, nil, 0o600), os.Truncate(large, plainfile.Limit+1)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]error{
		filepath.Join(dir, "a"): nil, filepath.Join(dir, "b"): fs.ErrNotExist, dir: plainfile.ErrNotPlain, large: plainfile.ErrTooLarge,
		os.DevNull: plainfile.ErrNotPlain,
	} {
		text, err := plainfile.Read(name)
		if !errors.Is(err, want) || err == nil && string(text) != "text" {
			t.Errorf("%s: %q, %v, want %v", name, text, err, want)
		}
	}
}

func TestLinksLeadNowhereElse(t *testing.T) {
	dir := t.TempDir()
	inside := filepath.Join(dir, "in", "sub")
	err := errors.Join(os.MkdirAll(inside, 0o700), os.WriteFile(filepath.Join(dir, "secret"), []byte("secret"), 0o600),
		os.WriteFile(filepath.Join(dir, "in", "a"), []byte("text"), 0o600))
	for name, to := range map[string]string{"out": "../../secret", "absolute": filepath.Join(dir, "secret"), "near": "../a", "device": os.DevNull, "round": "round"} {
		err = errors.Join(err, os.Symlink(to, filepath.Join(inside, name)))
	}
	if err != nil {
		t.Skip("links cannot be made here:", err)
	}
	for _, name := range []string{"sub/out", "sub/absolute", "sub/device", "sub/round", "../secret", "sub/../../secret", filepath.Join(dir, "in", "a"), "sub", ""} {
		if text, err := plainfile.ReadIn(filepath.Join(dir, "in"), name); err == nil {
			t.Errorf("%s: %q", name, text)
		}
	}
	if text, err := plainfile.ReadIn(filepath.Join(dir, "in"), "sub/near"); err != nil || string(text) != "text" {
		t.Errorf("a link within: %q, %v", text, err)
	}
}

func TestWhatIsUnfitIsToldFromWhatMayPass(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	large := filepath.Join(in, "large")
	err := errors.Join(os.MkdirAll(filepath.Join(in, "folder"), 0o700), os.WriteFile(filepath.Join(dir, "secret"), []byte("secret"), 0o600),
		os.WriteFile(filepath.Join(in, "a"), []byte("text"), 0o600), os.WriteFile(large, nil, 0o600), os.Truncate(large, plainfile.Limit+1))
	for name, to := range map[string]string{"out": "../secret", "device": os.DevNull, "round": "round"} {
		err = errors.Join(err, os.Symlink(to, filepath.Join(in, name)))
	}
	if err != nil {
		t.Skip("links cannot be made here:", err)
	}
	for name, unfit := range map[string]bool{
		"out": true, "device": true, "round": true, "../secret": true, "folder": true, "large": true, "a/b": true, "none": false,
	} {
		if _, err := plainfile.ReadIn(in, name); err == nil || plainfile.Unfit(err) != unfit {
			t.Errorf("%s: %v, unfit %v, want %v", name, err, plainfile.Unfit(err), unfit)
		}
	}
	for _, err := range []error{syscall.EIO, syscall.EACCES, syscall.EMFILE} {
		if plainfile.Unfit(&fs.PathError{Op: "openat", Path: "a", Err: err}) {
			t.Errorf("%v: it may be read next time", err)
		}
	}
}
