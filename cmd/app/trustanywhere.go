package app

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/cmd/console"
)

// TrustAnywhere returns what of a TrustList does not depend on the machine: each backend that the repository's files describe, as if all
// keys were set, and of git hooks those that lie among its files.
func TrustAnywhere(ctx context.Context, h *console.Host, work *git.Repo) ([]TrustEntry, error) {
	alone := *h
	alone.NoUserConfig, alone.Environ = true, nil
	cfg, _, err := LoadConfig(&alone, work.Root(), "", nil)
	if err != nil { // it may be whole only together with the user's
		cfg, _, err = LoadConfig(h, work.Root(), "", nil)
	}
	if err != nil {
		return nil, err
	}
	b := &Backends{Host: &alone, Root: work.Root(), Cfg: cfg}
	for _, described := range cfg.Backends {
		alone.Environ = append(alone.Environ, b.Server(described).Variable+"=set")
	}
	for _, s := range cfg.MCP.Servers {
		for _, variable := range s.Env {
			alone.Environ = append(alone.Environ, variable+"=set")
		}
	}
	list, err := ofFiles(ctx, b, work, slices.Sorted(maps.Keys(cfg.Backends))...)
	hooks := slices.DeleteFunc(hookEntries(ctx, h, work.Root(), work), func(e TrustEntry) bool { return strings.HasPrefix(e.File, ".git/") || !filepath.IsLocal(e.File) })
	return append(list, hooks...), err
}
