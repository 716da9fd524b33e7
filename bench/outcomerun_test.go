package bench

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// way is how a spec is carried out: its recordings, of which an earlier one comes first, and the settings.
type way struct {
	name       string
	recordings []string
	settings   []string
}

var ways = []way{
	{"asked", []string{"asked.yaml"}, []string{"AUTOPILOT_VERIFY_BLIND=off", "AUTOPILOT_FIX_AUTO=0"}},
	{"automatic", []string{"automatic.yaml", "asked.yaml"}, []string{"AUTOPILOT_VERIFY_BLIND=on", "AUTOPILOT_FIX_AUTO=1"}},
}

// outcome is a spec that is being carried out, or was.
type outcome struct {
	program, repo string
	env           []string
	server        *modelServer
	gates         []string // that a person answered
	fixes         int      // times that the answer was fix
	said          string   // by the last run
}

// asProgram has this test stand in for the program, which need not be built then.
const asProgram = "BENCH_AS_PROGRAM"

// handPlan is a person's plan for the phase of high complexity: it comes when it is asked for.
const handPlan = "docs/plans/months-plan.md"

// carryOut runs the spec, and answers as a person would who wants what was found fixed, until it is done.
func carryOut(tb testing.TB, program string, w way) *outcome {
	tb.Helper()
	o := &outcome{program: program, repo: filepath.Join(tb.TempDir(), "till"), server: newModelServer(tb, w.recordings)}
	http := httptest.NewServer(o.server)
	defer http.Close()
	o.env = alone(tb, append(w.settings, asProgram+"=1", "OPENAI_BASE_URL="+http.URL+"/v1", "OPENAI_API_KEY=k")...)
	plan := o.makeRepository(tb)
	for range 20 {
		code := o.types("docs/spec.md", "--backend", "openai", "--model", "m", "--yes", "--non-interactive")
		switch {
		case code == 0:
			return o
		case code != 3:
			tb.Fatalf("exit code %d:\n%s", code, o.said)
		}
		gate := o.state(tb).Gate.Kind
		o.gates = append(o.gates, gate)
		if gate == "plan_wanted" {
			put(tb, filepath.Join(o.repo, handPlan), plan)
		} else if said := o.said; o.types("answer", "docs/spec.md", "fix") == 0 {
			o.fixes++
		} else if o.types("answer", "docs/spec.md", "yes") != 0 {
			tb.Fatalf("neither fix nor yes: %s\nafter\n%s", o.said, said)
		}
	}
	tb.Fatalf("it asks again and again:\n%s", o.said)
	return nil
}

// makeRepository writes the project, and gives the plan that comes later.
func (o *outcome) makeRepository(tb testing.TB) (plan string) {
	tb.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "outcome", "project.txtar"))
	if err != nil {
		tb.Fatal(err)
	}
	for _, f := range archive.Files {
		if f.Name == handPlan {
			plan = string(f.Data)
			continue
		}
		put(tb, filepath.Join(o.repo, f.Name), string(f.Data))
	}
	put(tb, filepath.Join(o.repo, "autopilot.yaml"), "validate: {commands: [sh tests/run.sh]}\n")
	commitAll(tb, o.repo, o.env)
	return plan
}

// types runs the program, and gives its exit code.
func (o *outcome) types(args ...string) int {
	c := exec.Command(o.program, args...)
	c.Dir, c.Env = o.repo, o.env
	out, _ := c.CombinedOutput()
	o.said = string(out)
	return c.ProcessState.ExitCode()
}

// sessionState is what of a session's state is looked at.
type sessionState struct {
	Gate     struct{ Kind string }
	Findings []struct{ ID, Fate, Title, File, Commit string }
}

func (o *outcome) state(tb testing.TB) (s sessionState) {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join(o.repo, ".harness", "sessions", "spec", "autopilot-state.json"))
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func (o *outcome) commits(tb testing.TB) string {
	tb.Helper()
	return git(tb, o.repo, o.env, "log", "--format=%H")
}
