package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot"
	"autopilot/autopilot/git"
	"autopilot/autopilot/project"
	"autopilot/autopilot/tasks"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/worktree"
	"autopilot/personas"
)

// afterTasks is when validations run.
const afterTasks = "after each task"

// TrustList returns what this repository's own files have autopilot run or reach, in a working tree of it.
func (b *Backends) TrustList(ctx context.Context, work *git.Repo) ([]TrustEntry, error) {
	list, err := ofFiles(ctx, b, work)
	return append(list, hookEntries(ctx, b.Host, b.Root, work)...), err
}

// ofFiles are those of files in the working tree, with those of some backends that no persona need have.
func ofFiles(ctx context.Context, b *Backends, work *git.Repo, backends ...string) ([]TrustEntry, error) {
	set, err := Personas(filepath.Join(b.Root, ".harness"))
	if err != nil {
		return nil, err
	}
	found, err := foundValidations(ctx, Settings(b.Cfg), work)
	if err != nil {
		return nil, err
	}
	health, err := healthChecks(ctx, b.Root, work)
	if err != nil {
		return nil, err
	}
	return slices.Concat(b.configured(set.All(personas.Names()...), backends...), ownScripts(b.Root, work), found, health), nil
}

// ownScripts are those that autopilot runs for their names.
func ownScripts(root string, work *git.Repo) []TrustEntry {
	var entries []TrustEntry
	if name := ".harness/" + worktree.InitScript; isThere(root, name) {
		entries = append(entries, scriptEntry(TrustSetup, root, name, "at the start of each run"))
	}
	if isThere(root, tasks.InitScript) {
		entries = append(entries, scriptEntry(TrustSetup, root, tasks.InitScript, "at the start of tasks run"))
	}
	for _, name := range validate.OwnScripts(work.Root()) {
		entries = append(entries, scriptEntry(TrustValidation, work.Root(), name, "at the end of each phase"))
	}
	return entries
}

// scriptEntry is a script of the repository, by its content.
func scriptEntry(kind, root, name, when string) TrustEntry {
	return TrustEntry{Kind: kind, What: name, File: name, When: when, Blob: blob(filepath.Join(root, filepath.FromSlash(name)))}
}

// foundValidations are the commands that follow from the project's files, where the configuration names none.
func foundValidations(ctx context.Context, wanted autopilot.Settings, work *git.Repo) ([]TrustEntry, error) {
	if wanted.ValidateNone || len(wanted.Validations) > 0 {
		return nil, nil
	}
	found, err := validate.Find(work.Root())
	if err == nil && len(found) == 0 {
		var paths []string
		if paths, err = work.Tree.Files(ctx); err != nil {
			return nil, err
		}
		paths = slices.DeleteFunc(paths, func(p string) bool { return !slices.Contains(manifests(), path.Base(p)) })
		found, err = validate.FindNear(work.Root(), paths)
	}
	if err != nil {
		return nil, nil //nolint:nilerr // whoever runs them says what is wrong
	}
	var entries []TrustEntry
	for _, v := range found {
		file, script, _ := strings.Cut(v.Source, " ")
		e := TrustEntry{Kind: TrustValidation, What: v.Command, File: path.Join(v.Dir, file), When: afterTasks}
		if name, is := strings.CutSuffix(script, " script"); is {
			e.What += ": " + scriptText(filepath.Join(work.Root(), filepath.FromSlash(v.Dir)), name)
		}
		e.What = inFolder(e.What, v.Dir)
		entries = append(entries, e)
	}
	return entries, nil
}

// manifests are the files from which validation commands follow.
func manifests() []string {
	return append([]string{"go.mod", "package.json", "pyproject.toml", "pytest.ini", "setup.py", "Cargo.toml"}, project.Makefiles...)
}

// scriptText is what a script of package.json runs, with what npm runs around it.
func scriptText(folder, name string) string {
	pkg, err := project.ReadPackage(folder)
	if err != nil {
		return ""
	}
	texts := []string{pkg.Script("pre" + name), pkg.Script(name), pkg.Script("post" + name)}
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), " && ")
}

// healthChecks are the health checks of a profile that came with the repository. One that autopilot wrote holds what it found.
func healthChecks(ctx context.Context, root string, work *git.Repo) ([]TrustEntry, error) {
	profile, err := project.ReadFrom(filepath.Join(root, ".harness"))
	if err != nil {
		return nil, nil //nolint:nilerr // whoever runs them says what is wrong
	}
	const name = ".harness/" + project.Name
	var entries []TrustEntry
	for _, s := range profile.Services {
		if s.HealthCheck != "" {
			entries = append(entries, TrustEntry{Kind: TrustValidation, What: inFolder(s.HealthCheck, s.Dir), File: name, When: "at the end of each phase"})
		}
	}
	if len(entries) == 0 {
		return nil, nil
	}
	if carried, err := work.Tree.Carries(ctx, name); err != nil || !carried {
		return nil, err
	}
	return entries, nil
}

// inFolder is a command with the folder in which it runs.
func inFolder(command, dir string) string {
	if dir == "" || dir == "." {
		return command
	}
	return command + " (in " + dir + ")"
}

// blobOf is the content of a program that lies in the repository; "": it does not.
func blobOf(root string, argv []string) string {
	if len(argv) == 0 || !strings.Contains(filepath.ToSlash(argv[0]), "/") || filepath.IsAbs(argv[0]) {
		return ""
	}
	return blob(filepath.Join(root, argv[0]))
}

// blob is the hash of a file's content; "unreadable" where it cannot be read.
func blob(file string) string {
	const unreadable = "unreadable"
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() { // opening a pipe waits for somebody to write into it
		return unreadable
	}
	f, err := os.Open(file)
	if err != nil {
		return unreadable
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return unreadable
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func isThere(root, name string) bool {
	_, err := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
	return err == nil
}
