// Package git is the repository: where it stands, what changed in it, and the few ways in which the program itself writes to it.
//
// Open finds a Repo; what it can do lies in its parts, each of which needs little more than a way to run git:
//
//	status, err := repo.Tree.Status(ctx)   // HEAD, branch and what is dirty, by one call
//	saved, err := repo.Files.Save(ctx, "refs/autopilot/x", "before the dispatch", git.Paths(status.Dirt))
//	made, err := repo.Commits.Make(ctx, git.Commit{Paths: paths, Subject: "Parse empty lines"})
//
// Everything is done by the git program. Paths go to it and come from it NUL-terminated and literal, relative to the
// repository's root with slashes, as the bytes they are: they may hold newlines, quotes, a leading dash, or be no
// valid UTF-8. Run data (see IsRunData) and submodules are never seen, committed or reset.
package git
