//go:build unix

package cmd_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"autopilot/cmd/console"
)

// linkingAgent plays every persona, and makes links before it ends its first task.
const linkingAgent = `cat > /dev/null
case "$AUTOPILOT_PERSONA" in
planner) cat > "$AUTOPILOT_PLAN" < plan.txt ;;
executor) echo hello > greet.txt ;;
esac
echo '{"v":1,"status":"done","summary":"Done."}' > "$AUTOPILOT_REPLY"
[ "$AUTOPILOT_PERSONA" != executor ] || sh links.sh dispatch
`

// makingLinks replaces, at its nth call by somebody, what lies so many folders deep in the places that autopilot writes, and in
// what it puts back, by links to copies outside; a copy of these says how they were.
const makingLinks = `[ "by-$1" = "$BY" ] && echo >> ../calls && [ "$(wc -l < ../calls)" -eq "$NTH" ] || exit 0
n=0
mkdir ../outside
for place in $(find $PLACES 2> /dev/null | grep -E "^([^/]+/){$DEPTH}[^/]+$"; echo $MISSING); do
	n=$((n+1))
	mkdir -p "$(dirname "$place")"
	if [ -e "$place" ]; then cp -R "$place" ../outside/$n; else case "$place" in *.*[a-z]) ;; *) mkdir ../outside/$n ;; esac; fi
	if [ -d ../outside/$n ]; then echo theirs > ../outside/$n/theirs; fi
	rm -rf "$place"
	ln -s "$PWD/../outside/$n" "$place"
	echo "$place" >> ../linked
done
cp -R ../outside ../was
`

// filesBelow are the files and folders below a folder, with the text of the files.
func filesBelow(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			all[strings.TrimPrefix(path, folder)] = d.Type().String()
			return err
		}
		text, err := os.ReadFile(path)
		all[strings.TrimPrefix(path, folder)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// unmade are the names of what a run may come to make.
const unmade = ".git/autopilot/undone .git/autopilot/old .git/worktrees .git/autopilot-audit.lock .harness/drafts .harness/tasks .harness/archive .harness/worktrees " +
	".harness/sessions/spec/evidence .harness/sessions/spec/scratchpad .harness/sessions/spec/summary.md .harness/learnings.md .harness/failures.md .harness/project_profile.json"

func TestNothingBehindALinkOfAnAgentIsTouched(t *testing.T) {
	leftToCI(t)
	for by, nth := range map[string]int{"dispatch": 1, "validation": 1, "validation again": 2} {
		for depth := range 9 {
			if os.Getenv("STORIES") != "all" && (depth+nth)%3 != 0 {
				continue
			}
			t.Run(fmt.Sprint(by, " ", depth), func(t *testing.T) {
				t.Parallel()
				p := linkingPlace(t)
				p.env = append(p.env, "BY=by-"+strings.Fields(by)[0], fmt.Sprint("NTH=", nth), fmt.Sprint("DEPTH=", depth), "PLACES=.git/autopilot .git/info .git/autopilot.lock .harness docs autopilot.yaml")
				if depth == 8 {
					p.env = append(p.env, "MISSING="+unmade)
				}
				p.leavesLinksAlone(t, by == "dispatch")
			})
		}
	}
}

// leavesLinksAlone has a run meet the links, and a second one those that are left. After a dispatch all are named, else one of
// those that the run ends for.
func (p *place) leavesLinksAlone(t *testing.T, all bool) {
	t.Helper()
	said := ""
	for range 2 {
		said += p.command(console.Host{}, "docs/spec.md", "--fast", "--yes", "--non-interactive").text
	}
	linked, err := os.ReadFile(filepath.Join(p.dir, "linked"))
	if err != nil {
		t.Fatal(err, said)
	}
	unnamed := slices.DeleteFunc(strings.Fields(string(linked)), func(place string) bool {
		return filepath.Base(place) == "reply.json" || strings.Contains(said, place) // the agent hears of its reply
	})
	if len(unnamed) > 0 && (all || len(unnamed) == len(strings.Fields(string(linked)))) {
		t.Errorf("%v are not named:\n%s", unnamed, said)
	}
	if diff := cmp.Diff(filesBelow(t, filepath.Join(p.dir, "was")), filesBelow(t, filepath.Join(p.dir, "outside"))); diff != "" {
		t.Errorf("beyond the links (-was +is):\n%s", diff)
	}
}

// linkingPlace is a repository with a spec of one task for the agent.
func linkingPlace(t *testing.T) *place {
	t.Helper()
	p := newEmptyPlace(t)
	for name, text := range map[string]string{
		"docs/spec.md": goodSpec, "docs/plans/keep": "", "agent.sh": linkingAgent, "links.sh": makingLinks,
		"plan.txt":       "# Plan: Greet\n\n## Tasks\n\n### Task 1: Write\n\n**Files:** greet.txt | **Validation:** `sh links.sh validation; test -s greet.txt`\n",
		"autopilot.yaml": "backend: mine\nbackends:\n  mine: {type: command, command: [sh, agent.sh], pass_env: [BY, NTH, DEPTH, PLACES, MISSING]}\n",
	} {
		p.put(t, filepath.Join(p.repo, filepath.FromSlash(name)), []byte(text))
	}
	p.begin(t)
	return p
}
