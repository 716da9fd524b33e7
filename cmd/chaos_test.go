package cmd

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/cmd/simulate"
	"autopilot/personas/chaos"
)

// fewSeeds are played in a plain go test.
const fewSeeds = 3

// seeds is how many seeds of chaos are played: a few here, many with CHAOS_SEEDS.
func seeds(t *testing.T) int {
	n := fewSeeds
	if text := os.Getenv("CHAOS_SEEDS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// chaosSpec is as small as a spec can be that still has everything: each run of it costs git calls.
const chaosSpec = "# Small\n\n## Success Criteria\n\n- It works.\n\n## Implementation Order\n\n### Phase 1: First\n\n<!-- complexity: low -->\n"

// onePlan is the user's own plan of its phase: a task costs as much as the rest of a run.
const onePlan = "# Plan: First\n\n**Spec:** docs/spec.md\n\n## Tasks\n\n### Task 1: Make it\n\n**Files:** it.txt | **Validation:** `true`\n"

// widePlan has tasks that may be at work at the same time.
const widePlan = "# Plan: First\n\n## Tasks\n\n### Task 1: Left\n\n**Files:** left.txt\n\n### Task 2: Right\n\n**Files:** right.txt\n\n### Task 3: Both\n\n**Files:** left.txt, both.txt\n"

// chaosGrounds are the repositories that the seeds take turns in. A few seeds play in the first ones alone.
var chaosGrounds = []struct{ settings, plan string }{
	{"rigor: fast\nlimits: {max_dispatches: 12}\n", onePlan},
	{"rigor: standard\nlimits: {max_dispatches: 12, max_cost_usd: 0.09, task: {max_dispatches: 5, max_tokens: 4500}}\nretries: 1\n", onePlan},
	{"rigor: fast\nparallel: 2\ntasks: {on_failure: rollback}\nlimits: {max_tokens: 18000, phase: {max_cost_usd: 0.12}}\n", widePlan},
	{"rigor: standard\n", ""},
	{"rigor: thorough\ntasks: {on_failure: rollback}\n", ""},
}

const cheapGrounds = 2

// mixOf is the profile of a seed. A few seeds are all hostile, so that they show something.
func mixOf(turn, all int) chaos.Profile {
	name := "hostile"
	if all > fewSeeds && turn%2 == 1 {
		name = "calm"
	}
	profiles := chaos.Profiles()
	return profiles[slices.IndexFunc(profiles, func(p chaos.Profile) bool { return p.Name == name })]
}

// played is a run of a seed, and where it was cut off.
type played struct {
	simulate.Outcome
	cuts []string
}

// TestNoSeedOfChaosBreaksAPromise plays a spec with personas of which most misbehave. Whatever they do, the run ends within
// its budgets with a documented exit code, nothing is DONE that was not made, and no file of the user is lost.
func TestNoSeedOfChaosBreaksAPromise(t *testing.T) {
	t.Parallel()
	all := seeds(t)
	first, _ := strconv.Atoi(os.Getenv("CHAOS_FIRST"))
	shown := map[chaos.Behaviour]int{}
	ends, unseen, cuts := map[int]int{}, map[string]int{}, map[string]int{}
	results := make(chan played, all)
	t.Run("seeds", func(t *testing.T) {
		var grounds []*simulate.Simulation
		for i, g := range chaosGrounds {
			if i < cheapGrounds || all > fewSeeds {
				grounds = append(grounds, chaosGround(t, g.settings, g.plan))
			}
		}
		for seed := first; seed < first+all; seed++ {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				c, mix := &cutter{cuts: cutsOf(uint64(seed))}, mixOf(seed/len(grounds), all)
				s := *grounds[seed%len(grounds)]
				s.Run = c.run
				r, err := s.Play(t.Context(), mix, uint64(seed), "seed-"+fmt.Sprint(seed))
				if err != nil {
					t.Fatal(err)
				}
				for _, b := range append(r.Breaches, c.bad...) {
					t.Errorf("%s, %q, %q: %s", mix.Name, chaosGrounds[seed%len(grounds)].settings, c.made, b)
				}
				results <- played{r, c.made}
			})
		}
	})
	close(results)
	for r := range results {
		ends[r.ExitCode]++
		for _, c := range r.cuts {
			cuts[c]++
		}
		for _, b := range r.Behaviours {
			shown[b.Name] += b.Shown
			for _, how := range b.Unnoticed {
				unseen[fmt.Sprintf("%s (%s), such as with seed %d", b.Name, how, r.Seed)]++
			}
		}
	}
	for _, c := range chaos.Conducts() {
		if shown[c.Name] == 0 && all > fewSeeds {
			t.Errorf("no run had a %s: too few seeds, or nobody plays it", c.Name)
		}
	}
	if ends[0] == 0 || ends[3] == 0 || ends[5] == 0 {
		t.Errorf("the runs ended alike: %v", ends)
	}
	for _, want := range []string{"stopped in EXECUTE", "killed in EXECUTE", "stopped in PLAN", "killed in PLAN"} {
		if cuts[want] == 0 && all >= 20 {
			t.Errorf("no run was %s", want)
		}
	}
	t.Logf("exit codes %v, behaviours %v, cut off %v, not noticed %v", ends, shown, cuts, unseen)
}

// chaosGround makes a repository with a spec and a configuration, and what is needed to simulate it.
func chaosGround(t *testing.T, settings, plan string) *simulate.Simulation {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"docs/spec.md": chaosSpec, "autopilot.yaml": settings}
	if plan != "" {
		files["docs/plans/first-plan.md"] = plan
	}
	for name, text := range files {
		if err := app.WriteFile(filepath.Join(dir, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"}, {"add", "-A"}, {"-c", "user.name=A User", "-c", "user.email=user@example.com", "commit", "-q", "-m", "Begin"},
	} {
		if _, err := app.Git(t.Context(), dir, os.Environ(), args...); err != nil {
			t.Fatal(err)
		}
	}
	host := &console.Host{Dir: dir, Environ: os.Environ(), Now: time.Now, NoUserConfig: true}
	s, err := simulate.Prepare(t.Context(), host, runSimulated, "docs/spec.md", os.Getenv("CHAOS_LOGS"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// behaviourTable is what docs/simulating.md says of the behaviours.
func behaviourTable() string {
	var b strings.Builder
	b.WriteString("| behaviour | what it does | by whom | in which forms |\n| --- | --- | --- | --- |\n")
	for _, c := range chaos.Conducts() {
		who := make([]string, len(c.By))
		for i, name := range c.By {
			who[i] = string(name)
		}
		forms := make([]string, len(c.Forms))
		for i, f := range c.Forms {
			forms[i] = f.Name
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", c.Name, c.Does, strings.Join(who, ", "), strings.Join(forms, "; "))
	}
	return b.String()
}
