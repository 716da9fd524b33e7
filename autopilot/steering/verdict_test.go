package steering

import (
	"maps"
	"strings"
	"testing"

	"autopilot/autopilot/plainfile"

	"pgregory.net/rapid"
)

func TestWhatAChangeOfTheConfigurationMeans(t *testing.T) {
	known := map[string][]string{"branch.main.merge": {"refs/heads/main"}, "remote.up.url": {"../up"}, "core.bare": {"false"}}
	for key, values := range map[string]map[string]Verdict{
		"core.editor": {"true": Habit}, "core.pager": {"cat": Habit}, "core.askpass": {"sh": Steers}, "core.sshcommand": {"sh": Steers},
		"core.fsmonitor": {"sh": Steers}, "core.worktree": {"/x": Steers}, "core.repositoryformatversion": {"1": Harmless, "2": Steers},
		"extensions.worktreeconfig": {"true": Harmless, "x": Steers}, "extensions.partialclone": {"evil": Steers},
		"branch.main.remote": {"up": Harmless, ".": Harmless, "https://evil": Habit, "fork": Habit}, "branch.main.merge": {"refs/heads/x": Harmless},
		"remote.fork.url": {"../x": Harmless}, "remote.fork.uploadpack": {"sh": Steers}, "remote.origin.url": {"../x": Steers}, "remote.up.url": {"../x": Steers},
		"submodule.lib.url": {"../x": Harmless}, "submodule.lib.update": {"!sh": Steers, "rebase": Harmless}, "branch.new.remote": {"https://fork": Harmless},
		"gc.auto": {"0": Harmless}, "gc.recentobjectshook": {"sh": Steers}, "maintenance.strategy": {"incremental": Harmless},
		"filter.lfs.clean": {"git-lfs clean -- %f": Habit, "sh": Steers}, "filter.x.clean": {"git-lfs": Steers},
		"lfs.https://x/info/lfs.access": {"basic": Harmless}, "lfs.url": {"https://evil": Steers},
		"user.name": {"Bo": Identity}, "user.signingkey": {"x": Steers}, "alias.st": {"!sh": Habit}, "advice.detachedhead": {"false": Habit},
		"credential.helper": {"!sh": Steers}, "http.proxy": {"x": Steers}, "http.sslverify": {"false": Steers}, "protocol.ext.allow": {"always": Steers},
		"sequence.editor": {"true": Habit}, "difftool.x.cmd": {"sh": Habit}, "safe.directory": {"*": Steers}, "include.path": {"/x": Steers},
	} {
		for value, want := range values {
			c := keyChange{key: key, before: known[key], now: []string{value}, all: known}
			if got := c.verdict(); got != want {
				t.Errorf("%s = %s: got %d, want %d", key, value, got, want)
			}
		}
	}
}

// TestAKeyThatNobodyNamedSteers: what git learns tomorrow is guarded today.
func TestAKeyThatNobodyNamedSteers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := "x" + rapid.StringMatching(`[a-z]{1,8}(\.[a-z/*]{1,8})?\.[a-z]{1,8}`).Draw(t, "key")
		c := keyChange{key: key, now: []string{rapid.String().Draw(t, "value")}, all: map[string][]string{}}
		if got := c.verdict(); got != Steers {
			t.Errorf("%s: %d", key, got)
		}
	})
}

func TestEachRuleHasItsReason(t *testing.T) {
	for _, rule := range keyRules {
		if strings.TrimSpace(rule.why) == "" {
			t.Error("a rule without a reason")
		}
	}
}

func TestWhatTheUserKeepsIsLeft(t *testing.T) {
	s := newSandbox(t)
	was, err := s.files.Read()
	s.must(err)
	s.git("config", "core.hooksPath", "/tmp/x")
	s.git("config", "filter.lfs.clean", "git-lfs clean -- %f")
	s.git("config", "filter.x.clean", "cat")
	s.hook("post-commit", "true")
	s.files.Repo.Settings.Keep([]string{"core.hooksPath", "filter.lfs.*", "hooks/post-commit"})
	changed, err := s.files.PutBack(t.Context(), was, s.head(), s.path(".git/autopilot/kept"))
	s.must(err)
	equalList(t, "put back", names(changed), "config (filter.x.clean)")
}

// TestSteeringOfAnOlderProgramIsComparedAsFarAsItGoes: what that program did not read is not taken for new.
func TestSteeringOfAnOlderProgramIsComparedAsFarAsItGoes(t *testing.T) {
	s := newSandbox(t)
	s.write(".git/objects/info/alternates", "/tmp/x\n")
	s.write(".git/modules/lib/config", "[core]\n\tfsmonitor = sh\n")
	s.write(".git/hooks/lib/x", "")
	was, err := s.files.Read()
	s.must(err)
	was.Whole = false
	newer := func(name string, _ *plainfile.Held) bool { return !olderSteering(name) || name == "hooks/lib" }
	maps.DeleteFunc(was.Shared, newer)
	maps.DeleteFunc(was.Own, newer)
	s.write(".git/info/attributes", "* -diff\n")
	changed, err := s.files.PutBack(t.Context(), was, s.head(), s.path(".git/autopilot/kept"))
	s.must(err)
	equalList(t, "put back", names(changed), "info/attributes")
	if s.read(".git/objects/info/alternates") == "<none>" || s.read(".git/hooks/lib/x") == "<none>" {
		t.Error("what that program did not read is gone")
	}
}
