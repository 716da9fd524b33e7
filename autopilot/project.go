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
	"autopilot/autopilot/profile"
)

// ProfileName is the project's profile, in .harness.
const ProfileName = "project_profile.json"

// UpdateProfile scans the project anew, into the profile that lies in harness, and says whether it changed. What
// people wrote there stays. What of the project could not be read is in the remark, and stops nothing.
func UpdateProfile(ctx context.Context, repo *git.Repo, harness string) (found profile.Profile, changed bool, remark string, err error) {
	paths, err := repo.Files(ctx)
	if err != nil {
		return found, false, "", err
	}
	found, problem := profile.Scan(repo.Root(), paths)
	if problem != nil {
		remark = "Not all of the project could be read: " + oneLine(problem.Error())
	}
	path := filepath.Join(harness, ProfileName)
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return found, false, remark, err
	}
	text, err := profile.Merge(old, found)
	if err != nil {
		return found, false, remark, usage("%s: %v\nMend it, or remove it: it is written anew then", path, err)
	}
	if bytes.Equal(old, text) {
		return found, false, remark, nil
	}
	return found, true, remark, replaceFile(path, text)
}

// replaceFile writes a file so that readers see it whole, before or after.
func replaceFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"-")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close(), os.Chmod(f.Name(), 0o644)); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// describeProject writes the project's profile where there is none yet. A run does without it, if it has to.
func (e *Engine) describeProject(ctx context.Context) {
	if _, err := os.Lstat(filepath.Join(e.Harness, ProfileName)); err == nil {
		return // it is brought up to date by init, on a person's word: a session beside this one may be reading it
	}
	_, _, remark, err := UpdateProfile(ctx, e.Repo, e.Harness)
	switch {
	case err != nil:
		e.note("warning", fmt.Sprintf("%s could not be written: %v", ProfileName, err))
	case remark != "":
		e.note("warning", remark)
	}
}

// readProfile is the project's profile; without a file it is empty.
func (e *Engine) readProfile() (profile.Profile, error) {
	path := filepath.Join(e.Harness, ProfileName)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return profile.Profile{}, nil
	}
	if err != nil {
		return profile.Profile{}, err
	}
	p, err := profile.Parse(data)
	if err != nil {
		err = fmt.Errorf("%s: %w", e.rel(path), err)
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
