package autopilot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/profile"
	"autopilot/autopilot/words"
)

// ProfileName is the project's profile, in .harness.
const ProfileName = "project_profile.json"

// UpdateProfile scans the project anew, into the profile that lies in harness, and says whether it changed. What
// people wrote there stays. What of the project could not be read is in the remark, and stops nothing.
func UpdateProfile(ctx context.Context, repo *git.Repo, harness string) (found profile.Profile, changed bool, remark string, err error) {
	now, err := scanProject(ctx, repo, harness)
	if err != nil || bytes.Equal(now.old, now.text) {
		return now.found, false, now.remark, err
	}
	return now.found, true, now.remark, plainfile.Replace(filepath.Join(harness, ProfileName), now.text, 0o644)
}

// scanned is what a scan of the project found.
type scanned struct {
	found     profile.Profile
	paths     []string // of the project's files
	old, text []byte   // the profile as it lies there, nil for none, and with this scan in it
	remark    string   // what could not be read
}

// scanProject scans the project, and writes nothing.
func scanProject(ctx context.Context, repo *git.Repo, harness string) (scanned, error) {
	var s scanned
	var err error
	if s.paths, err = repo.Files(ctx); err != nil {
		return s, err
	}
	var problem error
	if s.found, problem = profile.Scan(repo.Root(), s.paths); problem != nil {
		s.remark = "Not all of the project could be read: " + words.OneLine(problem.Error())
	}
	path := filepath.Join(harness, ProfileName)
	if s.old, err = plainfile.Read(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	if s.text, err = profile.Merge(s.old, s.found); err != nil {
		return s, halt.Usage("%s: %v\nMend it, or remove it: it is written anew then", path, err)
	}
	return s, nil
}

// describeProject writes the project's profile where there is none yet. A run does without it, if it has to.
func (e *Engine) describeProject(ctx context.Context) {
	if _, err := os.Lstat(filepath.Join(e.Harness, ProfileName)); err == nil {
		return // it is brought up to date by init, on a person's word: a session beside this one may be reading it
	}
	_, _, remark, err := UpdateProfile(ctx, e.Repo, e.Harness)
	switch {
	case err != nil:
		e.Journal.Note("warning", fmt.Sprintf("%s could not be written: %v", ProfileName, err))
	case remark != "":
		e.Journal.Note("warning", remark)
	}
}

// readProfile is the project's profile; without a file it is empty.
func (e *Engine) readProfile() (profile.Profile, error) {
	path := filepath.Join(e.Harness, ProfileName)
	data, err := plainfile.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return profile.Profile{}, nil
	}
	if err != nil {
		return profile.Profile{}, err
	}
	p, err := profile.Parse(data)
	if err != nil {
		err = fmt.Errorf("%s: %w", plainfile.RelTo(path, e.Repo.Root(), filepath.Dir(e.Harness)), err)
	}
	return p, err
}

// aboutProject is what the profile says of the project, in a line.
func (e *Engine) aboutProject() string {
	p, err := e.readProfile()
	if err != nil {
		return "" // VERIFY says so
	}
	return p.About()
}
