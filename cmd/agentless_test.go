package cmd_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	programs "autopilot/personas/command"
)

// agentless is a PATH without the known agent programs, which a story would otherwise find on the machine of whoever
// runs it. A folder that has one is replaced by one of links to the rest.
func agentless(path, dir string) (string, error) {
	var kept []string
	for i, from := range filepath.SplitList(path) {
		if !slices.ContainsFunc(programs.Presets(), func(name string) bool { return isThere(filepath.Join(from, name)) }) {
			kept = append(kept, from)
			continue
		}
		to := filepath.Join(dir, strconv.Itoa(i))
		entries, err := os.ReadDir(from)
		if err = errors.Join(err, os.MkdirAll(to, 0o755)); err != nil {
			return "", err
		}
		for _, e := range entries {
			if slices.Contains(programs.Presets(), e.Name()) {
				continue
			}
			if err := os.Symlink(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
				return "", err
			}
		}
		kept = append(kept, to)
	}
	return strings.Join(kept, string(filepath.ListSeparator)), nil
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
