package git

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

var steered = &template{name: "steered", build: func(s *sandbox) {
	s.init()
	s.seed()
	s.write(".git/info/exclude", "*.log\n")
	s.hook("pre-commit", "exit 1")
	s.git("remote", "add", "up", "../up")
	s.git("config", "filter.Up.clean", "tr a-z A-Z")
	s.git("config", "--add", "filter.Up.clean", "tr b-z B-Z")
}}

func TestWhatSteersGitIsPutBack(t *testing.T) {
	for name, c := range map[string]struct {
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
		"hook added":        {func(s *sandbox) { s.hook("sub/post-commit", "true") }, []string{"hooks/sub/post-commit"}, "hooks/sub/post-commit"},
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
			func(s *sandbox) { s.git("config", "alias.x", "status"); s.git("remote", "add", "fork", "../x") }, nil, "",
		},
		"who commits":     {func(s *sandbox) { s.git("config", "user.name", "Bo") }, []string{"config (user.name)"}, "config"},
		"author":          {func(s *sandbox) { s.git("config", "author.email", "bo@x") }, []string{"config (author.email)"}, "config"},
		"signature":       {func(s *sandbox) { s.git("config", "commit.gpgSign", "false") }, []string{"config (commit.gpgsign)"}, "config"},
		"push address":    {func(s *sandbox) { s.git("config", "remote.up.pushurl", "../x") }, []string{"config (remote.up.pushurl)"}, "config"},
		"program of push": {func(s *sandbox) { s.git("config", "remote.up.receivepack", "sh") }, []string{"config (remote.up.receivepack)"}, "config"},
		"what is fetched": {func(s *sandbox) { s.git("config", "--add", "remote.up.fetch", "+refs/pull/*:refs/pull/*") }, nil, ""},
		"origin":          {func(s *sandbox) { s.git("remote", "add", "origin", "../x") }, []string{"config (remote.origin.url)"}, "config"},
		"credentials":     {func(s *sandbox) { s.git("config", "credential.helper", "!sh") }, []string{"config (credential.helper)"}, "config"},
	} {
		if !taken(name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			s := copyOf(t, steered)
			before, err := s.repo.Steering.Read()
			s.must(err)
			data, err := json.Marshal(before)
			s.must(err)
			head := s.head()
			c.do(s)
			var was Steering
			s.must(json.Unmarshal(data, &was))
			changed, err := s.repo.Steering.PutBack(t.Context(), was, head, s.path(".git/kept"))
			s.must(err)
			if !slices.Equal(changed, c.changed) {
				t.Fatalf("got %q, want %q", changed, c.changed)
			}
			if (c.file == "") != (s.read(".git/kept/"+orNone(c.file)) == "<none>") {
				t.Errorf("what was there is not kept")
			}
			if len(changed) == 0 {
				return
			}
			now, err := s.repo.Steering.Read()
			s.must(err)
			if again, err := s.repo.Steering.PutBack(t.Context(), was, head, s.path(".git/kept")); err != nil || len(again) > 0 {
				t.Errorf("it was not put back: %q, %v; %v", again, err, now)
			}
			equal(t, "filter", strings.ReplaceAll(s.git("config", "--get-all", "filter.Up.clean"), "\n", ", "), "tr a-z A-Z, tr b-z B-Z")
		})
	}
}

func orNone(name string) string {
	if name == "" {
		return "none"
	}
	return name
}

func TestHarmlessConfigurationOfOthersStaysWhereOneKeyIsPutBack(t *testing.T) {
	s := newSandbox(t)
	was, err := s.repo.Steering.Read()
	s.must(err)
	s.git("remote", "add", "fork", "../x")
	s.git("config", "core.fsmonitor", "/tmp/x")
	_, err = s.repo.Steering.PutBack(t.Context(), was, s.head(), s.path(".git/kept"))
	s.must(err)
	equal(t, "remote", s.git("remote"), "fork")
	if out, err := s.try("config", "core.fsmonitor"); err == nil {
		t.Errorf("core.fsmonitor is still %s", out)
	}
}

// TestWhatHidesFilesIsNotPutBackWithPrograms: they are looked for first.
func TestWhatHidesFilesIsNotPutBackWithPrograms(t *testing.T) {
	s := newSandbox(t)
	was, err := s.repo.Steering.Read()
	s.must(err)
	s.write(".git/info/exclude", "conftest.py\n")
	s.git("config", "core.excludesFile", "/tmp/x")
	s.git("config", "filter.evil.clean", "false")
	changed, err := s.repo.Steering.PutProgramsBack(t.Context(), was, s.head(), s.path(".git/kept"))
	s.must(err)
	equalList(t, "put back first", changed, "config (filter.evil.clean)")
	changed, err = s.repo.Steering.PutBack(t.Context(), was, s.head(), s.path(".git/kept"))
	s.must(err)
	equalList(t, "put back then", changed, "config (core.excludesfile)", "info/exclude")
}

func TestSteeringThatWasNotReadIsNotCompared(t *testing.T) {
	s := newSandbox(t)
	s.write(".git/info/exclude", "x\n")
	if changed, err := s.repo.Steering.PutBack(t.Context(), Steering{}, s.head(), s.path(".git/kept")); err != nil || len(changed) > 0 {
		t.Errorf("got %q, %v", changed, err)
	}
}

func TestFileThatIsTooLargeIsComparedAndNotPutBack(t *testing.T) {
	s := newSandbox(t)
	s.write("large", strings.Repeat("x", maxHeld+1))
	was, err := Hold(s.path("large"))
	s.must(err)
	s.write("large", strings.Repeat("x", maxHeld+2))
	now, err := Hold(s.path("large"))
	s.must(err)
	if was.Same(now) || was.PutAt(s.path("large")) == nil || len(s.read("large")) != maxHeld+2 {
		t.Error("a part of a file was taken for all of it")
	}
	s.must((*Held)(nil).PutAt(s.path("large")))
	if _, err := os.Stat(s.path("large")); err == nil {
		t.Error("the file is still there")
	}
}

func TestIgnoredFoldersAreListedAsSuch(t *testing.T) {
	s := newSandbox(t)
	s.write(".gitignore", "node_modules/\n*.log\n")
	s.write("node_modules/x/y.js", "")
	s.write("dir/a.log", "")
	s.write(".harness/a.log", "")
	s.write("seen.txt", "")
	now, err := s.repo.Tree.Status(t.Context())
	s.must(err)
	equalList(t, "ignored", now.Ignored, "dir/a.log", "node_modules/")
}
