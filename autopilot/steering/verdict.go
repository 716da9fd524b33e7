package steering

import (
	"path"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/plainfile"
)

// Verdict is what a change of what steers git means.
type Verdict int

// The verdicts, from the mildest on. What is not Harmless is put back.
const (
	Harmless Verdict = iota // nothing that git does for the program, or does unasked, comes to depend on it
	Habit                   // people and tools set it without a thought; it is nobody's fault
	Identity                // who commits
	Steers                  // what git sees, runs, trusts or reaches
)

// keyChange is a key of git's configuration that is not as it was. A key is as git prints it: section and name in lower case.
type keyChange struct {
	key         string
	before, now []string            // its values in order; none: it is not set
	all         map[string][]string // what the file held before
	module      bool                // the file is that of a submodule
	clone       bool                // and was not there before
}

// keyRules say which changes of the configuration are not put back, or are no deed. The first rule whose key fits, and whose
// condition holds, decides. What no rule names Steers.
var keyRules = []struct {
	key     *lazyregexp.Regexp
	when    func(keyChange) bool // nil: always
	verdict Verdict
	why     string
}{
	{lazyregexp.New(`^branch\..+\.(remote|pushremote)$`), keyChange.leadsToKnown, Harmless, "git switch and git push -u write it; it leads where a remote led before"},
	{lazyregexp.New(`^branch\..+\.(remote|pushremote)$`), keyChange.isNewSection, Harmless, "of a branch that somebody begins, such as gh pr checkout"},
	{lazyregexp.New(`^branch\..+\.(remote|pushremote)$`), nil, Habit, "no push of the program goes by it"},
	{lazyregexp.New(`^branch\.`), nil, Harmless, "what a branch is compared with, and its description"},
	{lazyregexp.New(`^remote\.origin\.`), keyChange.isOfClone, Harmless, "git submodule update clones"},
	{lazyregexp.New(`^remote\.origin\.`), nil, Steers, "pushes go there"},
	{lazyregexp.New(`^remote\..+\.(url|fetch|tagopt)$`), keyChange.isNewSection, Harmless, "people add a remote at any time, and nothing is pushed there"},
	{lazyregexp.New(`^submodule\..+\.(url|active)$`), keyChange.isNewSection, Harmless, "git submodule init copies it from .gitmodules"},
	{lazyregexp.New(`^submodule\..+\.update$`), hasOneOf("checkout", "rebase", "merge", "none"), Harmless, "the same; other values name a program"},
	{lazyregexp.New(`^submodule\.`), keyChange.isGone, Harmless, "git submodule deinit removes it"},
	{lazyregexp.New(`^submodule\..+\.url$`), nil, Habit, "git submodule sync copies it"},
	{lazyregexp.New(`^core\.worktree$`), func(c keyChange) bool { return c.module && c.isGone() }, Harmless, "git submodule deinit removes it"},
	{lazyregexp.New(`^gc\.recentobjectshook$`), nil, Steers, "it names a program"},
	{lazyregexp.New(`^(gc|maintenance)\.`), nil, Harmless, "when git tidies up: git maintenance writes it"},
	{lazyregexp.New(`^lfs\.(repositoryformatversion|.+\.(access|locksverify))$`), nil, Harmless, "git lfs remembers what a server wants"},
	{lazyregexp.New(`^core\.repositoryformatversion$`), hasOneOf("0", "1"), Harmless, "git sparse-checkout raises it"},
	{lazyregexp.New(`^extensions\.worktreeconfig$`), hasOneOf("true"), Harmless, "config.worktree is read then, which is guarded as well"},
	{lazyregexp.New(`^(core\.(filemode|bare|logallrefupdates|worktree|ignorecase|precomposeunicode|symlinks)|extensions\.objectformat)$`), keyChange.isOfClone, Harmless, "git submodule update clones"},
	{lazyregexp.New(`^(user|author|committer)\.(name|email)$`), nil, Identity, "agents give themselves a name; no commit carries it"},
	{lazyregexp.New(`^filter\.lfs\.(clean|smudge|process|required)$`), keyChange.isLFS, Habit, "git lfs install writes it"},
	{lazyregexp.New(`^(advice|alias|blame|browser|color|column|difftool|fetch|format|gitflow|gitlens|gui|guitool|help|i18n|init|log|man|mergetool|pager|pull|rebase|rerere|stash|status|tag|web)\.`), nil, Habit, "how git talks, and what it does by hand"},
	{lazyregexp.New(`^(core\.(abbrev|commentchar|editor|longpaths|pager|quotepath)|sequence\.editor|push\.(autosetupremote|default)|merge\.(conflictstyle|ff|guitool|tool)|diff\.(algorithm|guitool|noprefix|renames|tool))$`), nil, Habit, "how git talks, and what it does by hand"},
}

// verdict judges a change of the configuration: the one place where that is decided.
func (c keyChange) verdict() Verdict {
	for _, rule := range keyRules {
		if rule.key.MatchString(c.key) && (rule.when == nil || rule.when(c)) {
			return rule.verdict
		}
	}
	return Steers
}

// leadsToKnown says whether a branch follows a remote that was there, or a branch here; in a clone that is where it came from.
func (c keyChange) leadsToKnown() bool {
	return c.clone && slices.Equal(c.now, []string{"origin"}) || !slices.ContainsFunc(c.now, func(remote string) bool {
		return remote != "." && c.all["remote."+remote+".url"] == nil && c.all["remote."+remote+".pushurl"] == nil
	})
}

// isNewSection says whether nothing was set in the section of a key, such as that of a remote.
func (c keyChange) isNewSection() bool {
	section := c.key[:strings.LastIndexByte(c.key, '.')+1]
	for known := range c.all {
		if strings.HasPrefix(known, section) {
			return false
		}
	}
	return true
}

func (c keyChange) isOfClone() bool { return c.clone }
func (c keyChange) isGone() bool    { return len(c.now) == 0 }

// hasOneOf is the condition that a key has one of these values.
func hasOneOf(values ...string) func(keyChange) bool {
	return func(c keyChange) bool { return len(c.now) == 1 && slices.Contains(values, c.now[0]) }
}

// isLFS says whether a filter is that of git lfs, or was unset.
func (c keyChange) isLFS() bool {
	return !slices.ContainsFunc(c.now, func(value string) bool { return value != "true" && !strings.HasPrefix(value, "git-lfs ") })
}

// fileVerdict judges a change of a file that steers git. A hook that only calls git lfs is that of its installation.
func fileVerdict(name string, now *plainfile.Held) Verdict {
	if dir, hook := path.Split(name); dir == "hooks/" && now != nil && strings.HasSuffix(strings.TrimSpace(string(now.Text)), "\ngit lfs "+hook+` "$@"`) {
		return Habit
	}
	return Steers
}
