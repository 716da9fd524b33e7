package steering

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// steered are deeds, what is put back after them, and the file that is kept.
var steered = map[string]struct {
	do      func(s *sandbox)
	changed []string
	file    string // in the git folder, that was kept
}{
	"exclude":           {func(s *sandbox) { s.write(".git/info/exclude", "conftest.py\n") }, []string{"info/exclude"}, "info/exclude"},
	"exclude removed":   {func(s *sandbox) { s.remove(".git/info") }, []string{"info/exclude"}, ""},
	"exclude linked":    {func(s *sandbox) { s.remove(".git/info/exclude"); s.link("../../b.txt", ".git/info/exclude") }, []string{"info/exclude"}, "info/exclude"},
	"attributes":        {func(s *sandbox) { s.write(".git/info/attributes", "* -diff\n") }, []string{"info/attributes"}, "info/attributes"},
	"sparse checkout":   {func(s *sandbox) { s.write(".git/info/sparse-checkout", "/a.txt\n") }, []string{"info/sparse-checkout"}, "info/sparse-checkout"},
	"hook edited":       {func(s *sandbox) { s.hook("pre-commit", "exit 0") }, []string{"hooks/pre-commit"}, "hooks/pre-commit"},
	"hook switched off": {func(s *sandbox) { s.chmod(".git/hooks/pre-commit", 0o644) }, []string{"hooks/pre-commit"}, "hooks/pre-commit"},
	"hook added":        {func(s *sandbox) { s.hook("sub/post-commit", "true") }, []string{"hooks/sub", "hooks/sub/post-commit"}, ""},
	"sample":            {func(s *sandbox) { s.hook("pre-push.sample", "true") }, nil, ""},
	"excludes file":     {func(s *sandbox) { s.git("config", "core.excludesFile", "/tmp/x") }, []string{"config (core.excludesfile)"}, "config"},
	"hooks elsewhere":   {func(s *sandbox) { s.git("config", "core.hooksPath", "/tmp/x") }, []string{"config (core.hookspath)"}, "config"},
	"hooks of the tree": {func(s *sandbox) { s.git("config", "core.hooksPath", "dir/_") }, nil, ""},
	"filter changed":    {func(s *sandbox) { s.git("config", "--replace-all", "filter.Up.clean", "cat") }, []string{"config (filter.Up.clean)"}, "config"},
	"filter removed":    {func(s *sandbox) { s.git("config", "--unset-all", "filter.Up.clean") }, []string{"config (filter.Up.clean)"}, "config"},
	"worktree's own":    {func(s *sandbox) { s.write(".git/config.worktree", "[core]\n\tbare\n") }, []string{"config.worktree (core.bare)"}, "config.worktree"},
	"configuration broken": {
		func(s *sandbox) { s.write(".git/config", "[core\n") }, []string{"config"}, "config",
	},
	"configuration removed": {func(s *sandbox) { s.remove(".git/config") }, []string{"config"}, ""},
	"harmless configuration": {
		func(s *sandbox) {
			s.git("config", "gc.auto", "0")
			s.git("remote", "add", "fork", "../x")
			s.git("config", "branch.main.remote", "up")
			s.git("config", "submodule.lib.url", "../lib")
		}, nil, "",
	},
	"branch of a fork": {func(s *sandbox) { s.git("config", "branch.main.remote", "https://fork.example") }, nil, ""},
	"alias":            {func(s *sandbox) { s.git("config", "alias.st", "!sh") }, []string{"config (alias.st)"}, "config"},
	"alternates": {
		func(s *sandbox) { s.write(".git/objects/info/alternates", "/tmp/x\n") }, []string{"objects/info/alternates"}, "objects/info/alternates",
	},
	"another git folder": {func(s *sandbox) { s.write(".git/commondir", "../evil\n") }, []string{"commondir"}, "commondir"},
	"hooks linked": {
		func(s *sandbox) { s.remove(".git/hooks"); s.link("../evil", ".git/hooks") }, []string{"hooks", "hooks/pre-commit"}, "hooks",
	},
	"submodule cloned": {
		func(s *sandbox) {
			s.git("init", "-q", "--bare", ".git/modules/lib")
			s.git("config", "--file", ".git/modules/lib/config", "core.worktree", "../../../lib")
			s.git("config", "--file", ".git/modules/lib/config", "remote.origin.url", "../lib")
			s.git("config", "--file", ".git/modules/lib/config", "branch.main.remote", "origin")
		}, nil, "",
	},
	"submodule's program": {
		func(s *sandbox) {
			s.write(".git/modules/lib/config", "[core]\n\tbare\n\tfsmonitor = sh\n")
			s.write(".git/modules/lib/hooks/post-checkout", "")
		}, []string{"modules/lib/config (core.fsmonitor)", "modules/lib/hooks/post-checkout"}, "modules/lib/config",
	},
	"what git tidies up": {
		func(s *sandbox) { s.git("gc", "-q"); s.git("update-server-info"); s.git("commit-graph", "write") }, nil, "",
	},
	"value that git refuses": {func(s *sandbox) { s.git("config", "core.sharedRepository", "evil") }, []string{"config (core.sharedrepository)"}, "config"},
	"harmless key that git refuses": {
		func(s *sandbox) { s.write(".git/config", s.read(".git/config")+"[branch \"x\"]\n\tmerge\n") }, []string{"config"}, "config",
	},
	"who commits":     {func(s *sandbox) { s.git("config", "user.name", "Bo") }, []string{"config (user.name)"}, "config"},
	"author":          {func(s *sandbox) { s.git("config", "author.email", "bo@x") }, []string{"config (author.email)"}, "config"},
	"signature":       {func(s *sandbox) { s.git("config", "commit.gpgSign", "false") }, []string{"config (commit.gpgsign)"}, "config"},
	"push address":    {func(s *sandbox) { s.git("config", "remote.up.pushurl", "../x") }, []string{"config (remote.up.pushurl)"}, "config"},
	"program of push": {func(s *sandbox) { s.git("config", "remote.up.receivepack", "sh") }, []string{"config (remote.up.receivepack)"}, "config"},
	"what is fetched": {func(s *sandbox) { s.git("config", "--add", "remote.up.fetch", "+refs/pull/*:refs/pull/*") }, []string{"config (remote.up.fetch)"}, "config"},
	"origin":          {func(s *sandbox) { s.git("remote", "add", "origin", "../x") }, []string{"config (remote.origin.fetch)", "config (remote.origin.url)"}, "config"},
	"credentials":     {func(s *sandbox) { s.git("config", "credential.helper", "!sh") }, []string{"config (credential.helper)"}, "config"},
}

func TestWhatSteersGitIsPutBack(t *testing.T) {
	for name, c := range steered {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			before, err := s.files.Read()
			s.must(err)
			data, err := json.Marshal(before)
			s.must(err)
			head := s.head()
			c.do(s)
			var was Snapshot
			s.must(json.Unmarshal(data, &was))
			put, err := s.files.PutBack(t.Context(), was, head, s.path(".git/autopilot/kept"))
			s.must(err)
			changed := names(put)
			if !slices.Equal(changed, c.changed) {
				t.Fatalf("got %q, want %q", changed, c.changed)
			}
			if (c.file == "") != (s.read(".git/autopilot/kept/"+orNone(c.file)) == "<none>") {
				t.Errorf("what was there is not kept")
			}
			if len(changed) == 0 {
				return
			}
			now, err := s.files.Read()
			s.must(err)
			if again, err := s.files.PutBack(t.Context(), was, head, s.path(".git/autopilot/kept")); err != nil || len(again) > 0 {
				t.Errorf("it was not put back: %v, %v; %v", again, err, now)
			}
			equal(t, "filter", strings.ReplaceAll(s.git("config", "--get-all", "filter.Up.clean"), "\n", ", "), "tr a-z A-Z, tr b-z B-Z")
		})
	}
}

func names(changes []Change) []string {
	var names []string
	for _, c := range changes {
		names = append(names, c.Name)
	}
	return names
}

func orNone(name string) string {
	if name == "" {
		return "none"
	}
	return name
}

func TestHarmlessConfigurationOfOthersStaysWhereOneKeyIsPutBack(t *testing.T) {
	s := newSandbox(t)
	was, err := s.files.Read()
	s.must(err)
	s.git("remote", "add", "fork", "../x")
	s.git("config", "core.fsmonitor", "/tmp/x")
	_, err = s.files.PutBack(t.Context(), was, s.head(), s.path(".git/autopilot/kept"))
	s.must(err)
	equal(t, "remote", s.git("remote"), "fork\nup")
	if out, err := s.try("config", "core.fsmonitor"); err == nil {
		t.Errorf("core.fsmonitor is still %s", out)
	}
}

// TestWhatHidesFilesIsNotPutBackWithPrograms: they are looked for first.
func TestWhatHidesFilesIsNotPutBackWithPrograms(t *testing.T) {
	s := newSandbox(t)
	was, err := s.files.Read()
	s.must(err)
	s.write(".git/info/exclude", "conftest.py\n")
	s.git("config", "core.excludesFile", "/tmp/x")
	s.git("config", "filter.evil.clean", "false")
	changed, err := s.files.PutProgramsBack(t.Context(), was, s.head(), s.path(".git/autopilot/kept"))
	s.must(err)
	equalList(t, "put back first", names(changed), "config (filter.evil.clean)")
	changed, err = s.files.PutBack(t.Context(), was, s.head(), s.path(".git/autopilot/kept"))
	s.must(err)
	equalList(t, "put back then", names(changed), "config (core.excludesfile)", "info/exclude")
}

func TestSteeringThatWasNotReadIsNotCompared(t *testing.T) {
	s := newSandbox(t)
	s.write(".git/info/exclude", "x\n")
	if changed, err := s.files.PutBack(t.Context(), Snapshot{}, s.head(), s.path(".git/autopilot/kept")); err != nil || len(changed) > 0 {
		t.Errorf("got %v, %v", changed, err)
	}
}

// TestAFolderOfHooksThatBecameALinkIsAFolderAgain: nothing beyond the link is touched.
func TestAFolderOfHooksThatBecameALinkIsAFolderAgain(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write(".git/hooks/lib/x", "mine\n")
	s.write("beyond/x", "beyond\n")
	was, err := s.files.Read()
	s.must(err)
	s.remove(".git/hooks/lib")
	s.link("../../beyond", ".git/hooks/lib")
	_, err = s.files.PutBack(t.Context(), was, s.head(), s.path(".git/autopilot/kept"))
	s.must(err)
	equal(t, "hook", s.read(".git/hooks/lib/x"), "mine\n")
	equal(t, "beyond", s.read("beyond/x"), "beyond\n")
}

// TestWhatWentMeanwhileStaysAway: another guard may have put it back while a command of the project ran.
func TestWhatWentMeanwhileStaysAway(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.git("config", "core.hooksPath", "/tmp/x")
	s.hook("post-commit", "true")
	was, err := s.files.Read()
	s.must(err)
	s.git("config", "--unset", "core.hooksPath")
	s.remove(".git/hooks/post-commit")
	s.git("config", "core.fsmonitor", "sh")
	changed, err := s.files.PutNewBack(t.Context(), was, s.head(), s.path(".git/autopilot/kept"))
	s.must(err)
	equalList(t, "put back", names(changed), "config (core.fsmonitor)")
	if _, err := s.try("config", "core.hooksPath"); err == nil {
		t.Error("core.hooksPath is back")
	}
}
