package workspace

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// deed is one thing that an agent does below .git: it sets a key, or makes a file, a link or a folder, or removes one.
type deed struct{ verb, name, value string }

func (d deed) String() string { return d.verb + " " + d.name + " " + d.value }

func textOf(deeds []deed) string {
	var lines strings.Builder
	for _, d := range deeds {
		lines.WriteString(d.String() + "\n")
	}
	return lines.String()
}

// readDeeds reads deeds as they are written; what is none is passed over.
func readDeeds(lines string) []deed {
	var deeds []deed
	for line := range strings.Lines(lines) {
		var d deed
		d.verb, line, _ = strings.Cut(strings.TrimSpace(line), " ")
		d.name, d.value, _ = strings.Cut(line, " ")
		if filepath.IsLocal(d.name) {
			deeds = append(deeds, d)
		}
	}
	return deeds
}

var (
	deedVerbs = []string{"set", "set", "set", "file", "link", "dir", "remove"}
	deedFiles = strings.Fields(`config config.worktree info/attributes info/exclude info/grafts info/sparse-checkout info/refs objects/info/alternates
objects/info/http-alternates objects/info/packs objects/info/commit-graph modules/x/config modules/x/hooks/post-checkout remotes/origin branches/origin
shallow commondir gitdir index config.lock COMMIT_EDITMSG MERGE_HEAD MERGE_MSG SQUASH_MSG
autopilot autopilot/kept autopilot/pinned autopilot/undone logs/HEAD logs/refs/heads/main refs/heads/evil refs/replace/x hooks
hooks/pre-commit hooks/prepare-commit-msg hooks/commit-msg hooks/post-commit hooks/pre-push hooks/reference-transaction hooks/post-index-change hooks/fsmonitor-watchman`)
	deedValues = []string{
		"$CANARY", "!$CANARY", "ext::$CANARY", "$EVIL", "$EVIL/objects", "$MINE", "true", "false", "evil", "99", "", "* filter=x diff=x -text", "/dev/null",
		"[core] fsmonitor = $CANARY", "#!/bin/sh; exec $CANARY", "URL: $EVIL",
	}
)

// chooseDeeds has each three bytes choose a deed, of keys from those that git itself lists.
func chooseDeeds(t *testing.T, by []byte) []deed {
	t.Helper()
	var deeds []deed
	for ; len(by) >= 4 && len(deeds) < 4; by = by[4:] {
		names := deedFiles
		d := deed{verb: deedVerbs[int(by[0])%len(deedVerbs)], value: deedValues[int(by[3])%len(deedValues)]}
		if d.verb == "set" {
			names = gitKeys(t)
		}
		d.name = names[(int(by[1])<<8+int(by[2]))%len(names)]
		deeds = append(deeds, d)
	}
	return deeds
}

var placeholder = regexp.MustCompile(`<[^>]*>|\*`)

// gitKeys are all keys of git's configuration, of the remote origin and of x where one names something.
func gitKeys(t *testing.T) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "git", "help", "--config").Output()
	if err != nil {
		t.Skip("git does not list its keys")
	}
	var keys []string
	for key := range strings.FieldsSeq(string(out)) {
		if strings.HasPrefix(key, "remote.") || strings.HasPrefix(key, "branch.") {
			key = strings.NewReplacer("remote.<name>", "remote.origin", "branch.<name>", "branch.main").Replace(key)
		}
		if strings.Contains(key, ".") {
			keys = append(keys, placeholder.ReplaceAllString(key, "x"))
		}
	}
	return keys
}

// do does a deed, without a git that works in the repository. What cannot be done is none.
func (d deed) do(t *testing.T, v victim) {
	t.Helper()
	fill := strings.NewReplacer("$CANARY", filepath.Join(v.dir, "canary"), "$EVIL", filepath.Join(v.dir, "evil"), "$MINE", filepath.Join(v.dir, "mine"), "; ", "\n", "] ", "]\n\t")
	path, value := filepath.Join(v.repo.GitDir(), filepath.FromSlash(d.name)), fill.Replace(d.value)
	switch d.verb {
	case "set":
		set := exec.CommandContext(t.Context(), "git", "config", "--file", filepath.Join(v.repo.GitDir(), "config"), fill.Replace(d.name), value)
		set.Dir = v.dir
		_ = set.Run()
		return
	case "remove", "link", "dir", "file":
		_ = os.RemoveAll(path)
		_ = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	switch d.verb {
	case "link":
		_ = os.Symlink(value, path)
	case "dir":
		_ = os.Mkdir(path, 0o755)
	case "file":
		_ = os.WriteFile(path, []byte(value+"\n"), 0o755)
	}
}
