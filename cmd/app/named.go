package app

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/sessions"
)

// Named is the spec of the session that a person means: by a path, by the session's name, or by an unmistakable beginning of
// either. "" is the only session that is open, or the only one. A name that nothing is like is given back as it is.
func Named(ctx context.Context, h *console.Host, name string) (string, error) {
	if info, err := os.Stat(h.Path(name)); name != "" && err == nil && !info.IsDir() {
		return name, nil
	}
	near := h.Dir
	if name != "" && filepath.IsAbs(name) {
		near = NearestFolder(name)
	}
	repo, err := UserRepoAt(ctx, near, git.Find)
	if err != nil && name == "" {
		return "", err
	} else if err != nil {
		return name, nil //nolint:nilerr // who opens it says what is wrong
	}
	all, err := sessions.List(filepath.Join(repo.Root(), ".harness"), SessionOptions(h))
	if err != nil {
		return "", err
	}
	if name == "" {
		return theOnly(repo.Root(), all)
	}
	rel, err := filepath.Rel(repo.Root(), h.Path(name))
	if err != nil {
		return name, nil //nolint:nilerr // it lies elsewhere
	}
	return meant(repo.Root(), all, name, filepath.ToSlash(rel))
}

// theOnly is the session that must be meant where none is named.
func theOnly(root string, all []sessions.Summary) (string, error) {
	var specs, open []string
	var damaged error
	for _, one := range all {
		if one.Err != nil {
			damaged = one.Err
			continue
		}
		specs = append(specs, one.State.SpecPath)
		if one.State.CurrentState != machine.Done {
			open = append(open, one.State.SpecPath)
		}
	}
	if len(open) == 0 {
		open = specs
	}
	switch {
	case len(open) == 0 && damaged != nil:
		return "", damaged
	case len(open) == 0:
		return "", console.UsageError("there are no sessions here\nStart one: autopilot docs/spec.md")
	case len(open) == 1:
		return filepath.Join(root, filepath.FromSlash(open[0])), nil
	}
	return "", console.UsageError("which session? Name one of these:\n  %s", strings.Join(open, "\n  "))
}

// meant is the spec of the session that a name stands for; rel is the name as a path in the repository.
func meant(root string, all []sessions.Summary, name, rel string) (string, error) {
	var begin []string
	for _, one := range all {
		spec := one.State.SpecPath
		switch {
		case one.Err != nil:
		case spec == rel:
			return name, nil
		case one.Slug == name, spec == name:
			return filepath.Join(root, filepath.FromSlash(spec)), nil
		case strings.HasPrefix(one.Slug, name), strings.HasPrefix(spec, rel) && spec[len(rel)] != '/', strings.HasPrefix(path.Base(spec), name):
			begin = append(begin, spec)
		}
	}
	switch len(begin) {
	case 0:
		return name, nearest(root, all, name, rel)
	case 1:
		return filepath.Join(root, filepath.FromSlash(begin[0])), nil
	}
	return "", console.UsageError("%s is the beginning of several sessions. Name one of these:\n  %s", name, strings.Join(begin, "\n  "))
}

// nearest is the error about a name that is nearly that of a session or of a spec; nil where nothing is like it.
func nearest(root string, all []sessions.Summary, name, rel string) error {
	var known []string
	for _, one := range all {
		if one.Err == nil {
			known = append(known, one.State.SpecPath)
		}
	}
	for _, folder := range []string{path.Dir(rel), "docs"} {
		found, _ := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*.md"))
		for _, file := range found {
			known = append(known, path.Join(folder, filepath.Base(file)))
		}
	}
	stem := func(file string) string { return strings.TrimSuffix(path.Base(file), ".md") }
	for _, spec := range known {
		if len(stem(rel)) > 2 && config.Nearest(stem(rel), []string{stem(spec)}) != "" {
			return console.UsageError("no session or spec %s; did you mean %s?", name, shell.QuotePath(spec))
		}
	}
	return nil
}
