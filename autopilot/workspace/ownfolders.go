package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/plainfile"
)

// ownPlace is a folder, or a file, that autopilot writes and deletes in.
type ownPlace struct {
	folder string
	levels int // how many levels below it hold nothing of others
}

// undoneName is the folder with what dispatches left and what was put back, links among it: RepoGuard writes each in there by
// a way that no link leads out of.
const undoneName = "undone"

// deep is more levels than any of these folders has.
const deep = 64

// ownPlaces are those of a repository. What lies deeper in out and worktrees is the agents'.
func ownPlaces(repo *git.Repo) []ownPlace {
	in := func(name string) string { return filepath.Join(repo.Root(), ".harness", name) }
	return []ownPlace{
		{filepath.Join(repo.CommonDir(), "info"), 0},
		{filepath.Join(repo.CommonDir(), "worktrees"), 0},
		{filepath.Join(repo.GitDir(), "autopilot.lock"), 0},
		{filepath.Join(repo.CommonDir(), "autopilot-audit.lock"), 0},
		{filepath.Join(repo.CommonDir(), "autopilot"), deep},
		{filepath.Join(repo.GitDir(), "autopilot"), deep},
		{in("archive"), 1},
		{in("drafts"), deep},
		{in("out"), 2},
		{in("sessions"), 1},
		{in("tasks"), deep},
		{in("worktrees"), 1},
	}
}

// OwnFolders refuses a link or a special file in the places that autopilot writes and deletes in, the folders of sessions
// among them: a *plainfile.LinkError. Whoever made the link would have it write and remove files elsewhere. The git folder
// itself, and what .harness lies in, may be behind links.
func OwnFolders(repo *git.Repo, sessions ...string) error {
	links, err := ownLinks(repo, sessions)
	if len(links) > 0 {
		return &plainfile.LinkError{Path: links[0]}
	}
	return err
}

// RemoveLinks removes what OwnFolders refuses of some working trees and sessions, and returns the paths.
func RemoveLinks(repos []*git.Repo, sessions ...string) (removed []string, err error) {
	for _, repo := range repos {
		links, err := ownLinks(repo, sessions)
		for _, link := range links {
			err = errors.Join(err, os.Remove(link))
		}
		if removed = append(removed, links...); err != nil {
			return removed, err
		}
	}
	return removed, nil
}

// ownLinks lists what OwnFolders refuses. Where .harness itself is one it stops: what lies below is another's.
func ownLinks(repo *git.Repo, sessions []string) (links []string, err error) {
	harness := filepath.Join(repo.Root(), ".harness")
	if plainfile.Folder(harness) != nil {
		return []string{harness}, nil //nolint:nilerr // the link is the answer
	}
	places := ownPlaces(repo)
	for _, dir := range sessions {
		places = append(places, ownPlace{dir, deep})
	}
	for _, p := range places {
		more, err := p.links()
		if links = append(links, more...); err != nil {
			return links, err
		}
	}
	slices.Sort(links) // a place may be within another
	return slices.Compact(links), nil
}

// links lists what is neither a folder nor a plain file. A link of the user's that is being restored lies in the git folder
// for a moment, under a name of its own.
func (p ownPlace) links() (links []string, err error) {
	err = filepath.WalkDir(p.folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission): // where nothing can be opened nothing is written
			return nil
		case err != nil:
			return err
		case d.IsDir() && (strings.Count(path[len(p.folder):], string(filepath.Separator)) >= p.levels || filepath.Base(filepath.Dir(path)) == undoneName):
			return fs.SkipDir
		case !d.IsDir() && !d.Type().IsRegular() && !strings.HasPrefix(d.Name(), ".autopilot-") && !strings.HasPrefix(d.Name(), ".#"): // what Emacs has open
			links = append(links, path)
		}
		return nil
	})
	return links, err
}
