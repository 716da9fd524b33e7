package project

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/words"
)

// Name is the project's profile, in .harness.
const Name = "project_profile.json"

// Update scans the project anew, into the profile that lies in harness, and says whether it changed. What
// people wrote there stays. What of the project could not be read is in the remark, and stops nothing.
func Update(ctx context.Context, repo *git.Repo, harness string) (found Profile, changed bool, remark string, err error) {
	now, err := ScanRepo(ctx, repo, harness)
	if err != nil || bytes.Equal(now.Old, now.Text) {
		return now.Found, false, now.Remark, err
	}
	return now.Found, true, now.Remark, plainfile.Replace(filepath.Join(harness, Name), now.Text)
}

// Scanned is what a scan of the project found.
type Scanned struct {
	Found     Profile
	Paths     []string // of the project's files
	Old, Text []byte   // the profile as it lies there, nil for none, and with this scan in it
	Remark    string   // what could not be read
}

// ScanRepo scans the project, and writes nothing.
func ScanRepo(ctx context.Context, repo *git.Repo, harness string) (Scanned, error) {
	var s Scanned
	var err error
	if s.Paths, err = repo.Tree.Files(ctx); err != nil {
		return s, err
	}
	var problem error
	if s.Found, problem = Scan(repo.Root(), s.Paths); problem != nil {
		s.Remark = "Not all of the project could be read: " + words.OneLine(problem.Error())
	}
	path := filepath.Join(harness, Name)
	if s.Old, err = plainfile.Read(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	if s.Text, err = Merge(s.Old, s.Found); err != nil {
		return s, halt.Usage("%s: %v\nFix it, or remove it: it is written again then", path, err)
	}
	return s, nil
}

// ReadFrom is the project's profile, as it lies in harness; without a file it is empty.
func ReadFrom(harness string) (Profile, error) {
	path := filepath.Join(harness, Name)
	data, err := plainfile.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Profile{}, nil
	}
	if err != nil {
		return Profile{}, err
	}
	p, err := Parse(data)
	if err != nil {
		err = fmt.Errorf("%s: %w", plainfile.Rel(filepath.Dir(harness), path), err)
	}
	return p, err
}
