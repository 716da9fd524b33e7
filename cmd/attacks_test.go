package cmd_test

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestAttacksOnGitComeToNothing has an agent attack while it works, and do its work in the next attempt. The session ends
// well, and tells of it; no program of the agent's ran, what was validated is committed under the user's name and pushed
// where the user pushes, and the repository's configuration is what it was.
func TestAttacksOnGitComeToNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("scripts of sh")
	}
	for _, a := range sample(attacks) {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			p := attacked(t, a.does, a.mild)
			before := p.settings(t)
			said := p.withstands(t)
			if !regexp.MustCompile(a.told).MatchString(said) {
				t.Errorf("it is not told (%s):\n%s", a.told, said)
			}
			tool{stays: `branch\.autopilot/spec\..*|remote\.x\..*|core\.repositoryformatversion|extensions\.worktreeconfig`}.left(t, p, before)
		})
	}
}

// TestAttacksByKeysOfGitAreToldAndPutBack is row S7: an agent sets every key by which git does something else.
func TestAttacksByKeysOfGitAreToldAndPutBack(t *testing.T) {
	if !*full {
		t.Skip("make hostile plays it")
	}
	t.Parallel()
	var does strings.Builder
	for _, k := range programKeys {
		does.WriteString(`git config "` + k.key + `" "` + k.value + "\"\n")
	}
	p := attacked(t, does.String(), false)
	said := strings.ToLower(p.withstands(t))
	after := p.sh(t, "git config --file .git/config --list")
	for _, k := range programKeys {
		t.Run(k.key, func(t *testing.T) {
			key := strings.ToLower(os.Expand(k.key, p.expand))
			if strings.Contains(strings.ToLower(after), key+"="+strings.ToLower(os.Expand(k.value, p.expand))) {
				t.Error("it stays")
			}
			if !strings.Contains(said, "("+key+")") {
				t.Error("it is not told")
			}
		})
	}
}

// expand is the value of a variable of the place.
func (p *place) expand(name string) string {
	return map[string]string{"CANARY": filepath.Join(p.dir, "canary"), "EVIL": filepath.Join(p.dir, "evil"), "WORK": p.dir}[name]
}

// attacked is a place whose executor attacks while it works, and in a second attempt, where there is one, only works.
func attacked(t *testing.T, does string, mild bool) *place {
	t.Helper()
	p := tool{by: executor, does: does + "\n(" + beyond + ") > $WORK/beyond", ground: victim}.place(t)
	for _, name := range []string{"CANARY", "EVIL"} {
		p.env = append(p.env, name+"="+p.expand(name))
	}
	p.env = append(p.env, "PATH="+filepath.Join(p.dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, who := range []string{"GIT_AUTHOR_", "GIT_COMMITTER_"} {
		p.env = slices.DeleteFunc(p.env, func(entry string) bool { return strings.HasPrefix(entry, who) })
	}
	if mild {
		return p
	}
	turns := p.sh(t, "cat "+p.replay)
	p.put(t, p.replay, []byte(turns+"  - {persona: executor, phase: 1, task: task-001, attempt: 2, turns: [{calls: [write_file: {path: greet.txt, content: \"hello\\n\"}]}, {reply: {status: done, summary: Written.}}]}\n"))
	return p
}

// victim is what is attacked: a program that leaves a mark when it runs, a repository to push to, and a gh.
const victim = `git config --global user.name "A User" && git config --global user.email user@example.com
echo mine > ../mine && mkdir ../bin && git init -q --bare -b main ../evil
printf '#!/bin/sh\necho "$0 $@" >> %s/ran\n' "$WORK" > ../canary
cat > ../bin/gh <<'END'
#!/bin/sh
case "$2" in create) echo https://example.com/pr/1 ;; esac
END
chmod +x ../canary ../bin/gh`

// beyond prints what lies outside of the repository and may not change once the attack is over.
const beyond = `cat "$WORK/mine"; find "$EVIL" | sort`

// withstands plays the session to its end, and says what it told.
func (p *place) withstands(t *testing.T) string {
	t.Helper()
	code, said := p.process(t, nil)("docs/spec.md", "--replay", p.replay, "--fast", "--yes", "--pr", "--verbose")
	if code != 0 {
		t.Fatalf("exit code %d:\n%s%s", code, said, p.journal(t))
	}
	if ran, err := os.ReadFile(filepath.Join(p.dir, "ran")); err == nil {
		t.Errorf("the agent's program was run: %s", ran)
	}
	if got := p.sh(t, "git show --format= HEAD:greet.txt"); got != "hello\n" {
		t.Errorf("greet.txt was committed as %q", got)
	}
	if now := p.sh(t, beyond); now != p.sh(t, "cat ../beyond") {
		t.Errorf("elsewhere lies:\n%s", now)
	}
	if who := p.sh(t, "git log --format='%an <%ae> %cn <%ce>' main.. | sort -u"); who != "A User <user@example.com> A User <user@example.com>\n" {
		t.Errorf("committed by %s", who)
	}
	if got := p.sh(t, "git rev-parse HEAD; git -C ../origin rev-parse autopilot/spec; git -C ../evil for-each-ref"); strings.Count(got, strings.Fields(got)[0]) != 2 || len(strings.Fields(got)) != 2 {
		t.Errorf("HEAD, what origin has and what the other repository has: %s", got)
	}
	return said
}
