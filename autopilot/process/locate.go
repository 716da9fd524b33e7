package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"autopilot/autopilot/process/supervise"
)

// locate finds the program of c as the command itself would: by c.Dir when its
// name has a folder, else by the PATH of c.Env. It also sees to the folder, for
// which the system's own message would blame the program.
func locate(c Command) (string, error) {
	if len(c.Argv) == 0 || c.Argv[0] == "" {
		return "", errors.New("it is empty")
	}
	if err := isFolder(c.Dir); err != nil {
		return "", err
	}
	name := c.Argv[0]
	switch {
	case filepath.IsAbs(name):
		return exec.LookPath(name)
	case strings.ContainsRune(filepath.ToSlash(name), '/'):
		dir, err := filepath.Abs(c.Dir)
		if err != nil {
			return "", err
		}
		return exec.LookPath(filepath.Join(dir, name))
	case c.Env == nil:
		return exec.LookPath(name)
	}
	return inPath(name, c.Env)
}

// Check says whether c could be started: nil, or the *StartError that Run would
// give. Nothing is run.
func (c Command) Check() error {
	if _, err := locate(c); err != nil {
		return c.startError(err)
	}
	return nil
}

func isFolder(dir string) error {
	if dir == "" {
		return nil
	}
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("its folder: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("its folder: %s: %w", dir, errors.New("not a folder"))
	}
	return nil
}

// inPath passes over relative entries of PATH, as os/exec does: a program that
// happens to lie in the working folder is not what was meant.
func inPath(name string, env []string) (string, error) {
	path := ""
	for _, e := range env {
		if key, value, ok := strings.Cut(e, "="); ok && samePathKey(key) {
			path = value
		}
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return found, nil
		}
	}
	return "", &exec.Error{Name: name, Err: fmt.Errorf("not in PATH: %w", fs.ErrNotExist)}
}

// environment is c.Env, or the caller's, with PWD set for c.Dir and without the
// supervisor's marker. exec.Cmd sets PWD only where it takes the caller's
// environment, and there are programs that believe PWD more than the system:
// they would work in the folder that the caller was started in.
func environment(c Command) []string {
	env := c.Env
	if env == nil {
		env = os.Environ()
	}
	if dir, err := filepath.Abs(c.Dir); err == nil && c.Dir != "" && runtime.GOOS != "windows" {
		env = append(slices.Clip(env), "PWD="+dir)
	}
	all := (&exec.Cmd{Env: env}).Environ()
	kept := make([]string, 0, len(all))
	for _, e := range all {
		if !strings.HasPrefix(e, supervise.Marker+"=") {
			kept = append(kept, e)
		}
	}
	return kept
}
