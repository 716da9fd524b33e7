package toolbox

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/process"
)

// Confinement is how the commands of a model are kept to the working tree.
type Confinement struct {
	Sandbox bool // by bubblewrap: it has been tried, and works
	Network bool // whether they may use it
}

// toolchains are folders of a home in which programs, and what they loaded, lie:
// without them little would run.
var toolchains = []string{
	".local/bin", ".local/lib", ".local/share/mise", ".local/share/pnpm", ".local/share/uv", ".cargo", ".rustup", ".nvm", ".fnm", ".volta", ".bun", ".deno",
	".asdf", ".pyenv", ".rbenv", ".rvm", ".sdkman", "go", "sdk", ".gradle", ".m2", ".npm", ".cache/pip", ".cache/uv", ".pub-cache", ".nuget", ".dotnet",
}

// confine gives the command as it is run: in a sandbox, where there is to be one.
// The tree is its own; what git and the program keep there it may read.
func (b *Box) confine(c process.Command) (process.Command, error) {
	if !b.confined.Sandbox {
		return c, nil
	}
	s := process.Sandbox{Network: b.confined.Network, Writable: []string{b.tree.Dir}, Inner: []string{b.Dispatch.OutDir}}
	if b.Dispatch.OutDir != "" {
		s.Home = filepath.Join(b.Dispatch.OutDir, "home")
		if err := plainfile.MakeFolder(s.Home); err != nil {
			return c, fmt.Errorf("making the home of commands: %w", err)
		}
	}
	s.ReadOnly = append(gitFolders(b.tree.Dir), filepath.Join(b.tree.Dir, ".harness"), b.Dispatch.SessionDir)
	s.Kept = homeParts(b.environ)
	return s.Wrap(c), nil
}

// homeParts are what of the user's home commands need to see: programs, and what
// those loaded. Credentials lie elsewhere.
func homeParts(environ []string) []string {
	values := map[string]string{}
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		values[name] = value
	}
	home := values["HOME"]
	if home == "" {
		return nil
	}
	var parts []string
	for _, name := range toolchains {
		parts = append(parts, filepath.Join(home, filepath.FromSlash(name)))
	}
	for _, dir := range filepath.SplitList(values["PATH"]) {
		if _, ok := within(home, dir); ok && !slices.Contains(parts, dir) {
			parts = append(parts, dir)
		}
	}
	return parts
}

// gitFolders are those of a working tree's repository: its .git, and where that
// is a file, the folders that it leads to.
func gitFolders(dir string) []string {
	own := filepath.Join(dir, ".git")
	text, err := os.ReadFile(own)
	if err != nil {
		return []string{own}
	}
	to := string(bytes.TrimSpace(bytes.TrimPrefix(text, []byte("gitdir:"))))
	if !filepath.IsAbs(to) {
		to = filepath.Join(dir, to)
	}
	folders := []string{own, to}
	if common, err := os.ReadFile(filepath.Join(to, "commondir")); err == nil {
		folders = append(folders, filepath.Join(to, strings.TrimSpace(string(common))))
	}
	return folders
}
