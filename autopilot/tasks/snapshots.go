package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/git"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/workspace"
)

// snapshotRefs begins the name of each of them. No session or task has a dot in its refs, so that none deletes these.
const snapshotRefs = "refs/autopilot/tasks.snap/"

// snapshotsOf keeps those of one working tree: all working trees share the refs. No journal names them: the ref is the record.
func snapshotsOf(repo *git.Repo) workspace.Snapshots {
	tree := "main/"
	if repo.GitDir() != repo.CommonDir() {
		tree = "worktrees/" + RefPart(filepath.Base(repo.GitDir())) + "/"
	}
	return workspace.Snapshots{Repo: repo, Refs: snapshotRefs + tree}
}

// origin tells a working tree from its copy in a copied repository, and from an earlier one of the same name.
type origin struct {
	Repo uint64    `json:"repo,omitempty"` // the inode of the git folder
	Made time.Time `json:"made,omitzero"`  // when git made the working tree; zero: it is the main one
}

func originOf(repo *git.Repo) origin {
	o := origin{Repo: plainfile.Inode(repo.CommonDir())}
	if info, err := os.Stat(filepath.Join(repo.GitDir(), "commondir")); err == nil { // it is written once
		o.Made = info.ModTime()
	}
	return o
}

// write keeps a note in place of the task's last one. This process has it in memory too, where no agent reaches it.
func (n notes) write(ctx context.Context, b before) error {
	b.Noted, b.Origin = n.onDisk(), originOf(n.repo)
	var files *workspace.RepoSnapshot
	if b.Flight != nil {
		files = &b.Flight.Was
	}
	part, snapshots := RefPart(b.Task), snapshotsOf(n.repo)
	if _, err := snapshots.Write(ctx, part, &b, files); err != nil {
		return fmt.Errorf("noting what was there before %s: %w", b.Task, err)
	}
	data, err := json.Marshal(b)
	n.known.Store(snapshots.Refs+part, data)
	return errors.Join(err, retire(n.repo.GitDir(), oldNote(part)))
}

// onDisk returns the file system's time. It is compared with times of files, which another machine may set.
func (n notes) onDisk() time.Time {
	folder := filepath.Join(n.repo.GitDir(), "autopilot") // the next run clears away what a kill leaves there
	if err := plainfile.MakeFolder(folder); err != nil {
		return n.now()
	}
	f, err := os.CreateTemp(folder, ".autopilot-clock-*")
	if err != nil {
		return n.now()
	}
	defer os.Remove(f.Name())
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return n.now()
	}
	return info.ModTime()
}

// read reads a note by the last part of its ref. It says false where there is none, or it is of another working tree.
func (n notes) read(ctx context.Context, part string) (b before, known bool, err error) {
	b.Flight = &flight{}
	snapshots, here := snapshotsOf(n.repo), originOf(n.repo)
	if data, ok := n.known.Load(snapshots.Refs + part); ok {
		known, err = true, json.Unmarshal(data.([]byte), &b)
	} else if known, err = snapshots.Find(context.WithoutCancel(ctx), part, &b, &b.Flight.Was); err == nil && !known {
		b, known, err = n.readOld(part, here)
	}
	copied := b.Origin.Repo != here.Repo
	if err != nil || !known || RefPart(b.Task) != part || !copied && !b.Origin.Made.Equal(here.Made) {
		return before{}, false, err
	}
	if copied { // its files show when they were copied, not who wrote them
		b.Noted = time.Time{}
	}
	if b.Flight != nil && b.Flight.Dispatch == "" {
		b.Flight = nil
	} else if b.Flight != nil {
		b.Flight.Was.MovedTo(n.repo.CommonDir())
	}
	return b, true, nil
}

// readOld reads a note that an older version wrote: to a file, whose time it goes by.
func (n notes) readOld(part string, here origin) (b before, known bool, err error) {
	file := filepath.Join(n.repo.GitDir(), "autopilot", oldNote(part))
	data, err := os.ReadFile(file)
	if err != nil {
		return b, false, ignoreMissing(err)
	}
	info, err := os.Stat(file)
	if err != nil || json.Unmarshal(data, &b) != nil { // a kill cut it off
		return b, false, err
	}
	if b.Origin, b.Noted = here, info.ModTime(); plainfile.ChangedAfter(file, b.Noted.Add(time.Second)) {
		b.Noted = time.Time{} // it was copied
	}
	return b, true, nil
}

func oldNote(part string) string { return filepath.Join("tasks", part+".json") }

// retire moves a file in which an older version kept something to old/; there may be none.
func retire(gitDir, name string) error {
	file, to := filepath.Join(gitDir, "autopilot", name), filepath.Join(gitDir, "autopilot", "old", name)
	if _, err := os.Lstat(file); err != nil {
		return ignoreMissing(err)
	}
	return errors.Join(plainfile.MakeFolder(filepath.Dir(to)), os.Rename(file, to))
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// all lists the notes of this working tree by the last parts of their refs.
func (n notes) all(ctx context.Context) ([]string, error) {
	snapshots := snapshotsOf(n.repo)
	refs, err := n.repo.Refs.List(ctx, snapshots.Refs)
	if err != nil {
		return nil, err
	}
	parts, err := fs.Glob(os.DirFS(filepath.Join(n.repo.GitDir(), "autopilot")), filepath.ToSlash(oldNote("*")))
	for i, name := range parts {
		parts[i] = strings.TrimSuffix(filepath.Base(name), ".json")
	}
	for _, ref := range refs {
		parts = append(parts, strings.TrimPrefix(ref.Name, snapshots.Refs))
	}
	slices.Sort(parts)
	return slices.Compact(parts), err
}

// remove removes a note: first what an older version wrote, lest that counts again.
func (n notes) remove(ctx context.Context, part string) error {
	if err := retire(n.repo.GitDir(), oldNote(part)); err != nil {
		return err
	}
	ref := snapshotsOf(n.repo).Refs + part
	n.known.Delete(ref)
	return n.deleteRef(ctx, n.repo.Refs, ref)
}

// deleteRef deletes a ref, or warns where another git has locked the refs: the next claim of the task overwrites it.
func (p progress) deleteRef(ctx context.Context, refs *git.Refs, ref string) error {
	err := refs.Delete(context.WithoutCancel(ctx), ref)
	if _, locked := errors.AsType[*git.LockError](err); locked {
		p.say("warning", "%v. Until then %s stays, which does no harm.", err, ref)
		return nil
	}
	return err
}
