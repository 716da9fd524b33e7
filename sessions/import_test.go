package sessions

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/sessions/format"
	"autopilot/sessions/legacy"
	"autopilot/sessions/storage"
)

// realOptions are those of the program: the real core, a clock, a repository that knows where it began.
func realOptions() Options {
	return Options{Now: clock(), StartingCommit: func() (string, error) { return "abc1234", nil }}
}

// olderSession puts a file of an older program where its session lies.
func olderSession(t *testing.T, file string) string {
	t.Helper()
	dir := sessionDir(t)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, file, dir, SnapshotName)
	return dir
}

func openReal(t *testing.T, dir string) *Session {
	t.Helper()
	s, err := Open(dir, realOptions())
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// corpus are real files of older programs by name; the test is skipped where they are not there.
func corpus(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "shared", "corpus", "states", "*.json"))
	if err != nil || len(paths) == 0 {
		t.Skip("the corpus is not here")
	}
	files := map[string]string{}
	for _, path := range paths {
		files[filepath.Base(path)] = read(t, path)
	}
	return files
}

func fixtures(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "older", "*.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	files := map[string]string{}
	for _, path := range paths {
		files[filepath.Base(path)] = read(t, path)
	}
	return files
}

func TestRealFilesMigrateAndLoseNothing(t *testing.T) {
	for name, file := range corpus(t) {
		t.Run(name, func(t *testing.T) { checkMigrates(t, file) })
	}
}

func TestFixturesOfEachVersionMigrateAndLoseNothing(t *testing.T) {
	for name, file := range fixtures(t) {
		t.Run(name, func(t *testing.T) { checkMigrates(t, file) })
	}
}

// checkMigrates opens a session with an older file, twice, and looks for what was lost.
func checkMigrates(t *testing.T, file string) {
	t.Helper()
	dir := olderSession(t, file)
	shown, notes, err := Read(dir, realOptions())
	if err != nil || len(notes) == 0 || len(names(t, dir)) != 1 {
		t.Fatalf("read: %v, notes %q, files %q", err, notes, names(t, dir))
	}
	s := openReal(t, dir)
	sameJSON(t, "what a reader saw before", timeless(shown), timeless(s.State()))
	before, after := document(t, file), document(t, read(t, dir, SnapshotName))
	for _, path := range missingIn(before, after, "") {
		t.Errorf("lost: %s", path)
	}
	checkCounts(t, before, s.State())
	if len(s.Repairs()) == 0 {
		t.Error("nothing is said")
	}
	version, _ := before["schemaVersion"].(float64)
	if kept := fmt.Sprintf("autopilot-state.v%d.json", max(int(version), 1)); read(t, dir, kept) != file {
		t.Errorf("%s has not the old bytes", kept)
	}
	if _, err := s.Apply(machine.Event{Type: machine.RunStarted, Branch: "work", Commit: "head"}); err != nil {
		t.Errorf("the session takes no event: %v", err)
	}
	closed(t, s)
	checkNoOp(t, dir)
}

// timeless leaves out what differs between two imports: the clock's time.
func timeless(s machine.State) machine.State {
	s.StateCRC, s.UpdatedAt = "", noon
	s.Decisions, s.Phases = slices.Clone(s.Decisions), slices.Clone(s.Phases)
	s.Decisions[len(s.Decisions)-1].Timestamp = noon
	s.Phases[s.CurrentPhase].StartedAt = nil
	return s
}

func checkCounts(t *testing.T, before map[string]any, s machine.State) {
	t.Helper()
	history, _ := before["history"].([]any)
	decisions, _ := before["decisions"].([]any)
	if len(s.History) != len(history) || len(s.Decisions) != len(decisions)+1 {
		t.Errorf("%d entries of %d in the history, %d decisions of %d and one", len(s.History), len(history), len(s.Decisions), len(decisions))
	}
	if last := s.Decisions[len(s.Decisions)-1]; last.Decision != "migrated" || last.Reason == "" {
		t.Errorf("the last decision is %+v", last)
	}
	if s.SchemaVersion != machine.SchemaVersion || s.SessionID == "" || !s.IsImported {
		t.Errorf("version %d, id %q, imported %t", s.SchemaVersion, s.SessionID, s.IsImported)
	}
}

// checkNoOp opens an imported session again: nothing is left to do, and nothing changes.
func checkNoOp(t *testing.T, dir string) {
	t.Helper()
	files := map[string]string{}
	for _, name := range names(t, dir) {
		if name != storage.LockName {
			files[name] = read(t, dir, name)
		}
	}
	s := openReal(t, dir)
	if len(s.Repairs()) > 0 {
		t.Errorf("the second time it repairs %q", s.Repairs())
	}
	closed(t, s)
	for name, text := range files {
		if read(t, dir, name) != text {
			t.Errorf("the second time %s changed", name)
		}
	}
	restore(t, dir, map[string]string{JournalName: files[JournalName]})
	closed(t, openReal(t, dir))
	sameJSON(t, "rebuilt from the journal alone", document(t, read(t, dir, SnapshotName)), document(t, files[SnapshotName]))
}

// missingIn names what a document had and its successor has neither under the same key, in whatever case, nor aside.
func missingIn(before, after any, path string) []string {
	switch b := before.(type) {
	case map[string]any:
		a, ok := after.(map[string]any)
		if !ok && len(b) > 0 {
			return []string{path + " (an object)"}
		}
		return missingKeys(b, a, path)
	case []any:
		a, ok := after.([]any)
		if m, plain := after.(map[string]any); plain { // an item that became an object
			a, ok = m["value"+"AsImported"].([]any)
		}
		if len(a) < len(b) || !ok && len(b) > 0 {
			return []string{path + " (a list)"}
		}
		var all []string
		for i := range b {
			all = append(all, missingIn(b[i], a[i], fmt.Sprintf("%s[%d]", path, i))...)
		}
		return all
	case string:
		raw, _ := format.Compact(after)
		quoted, _ := format.Compact(b)
		if _, changed := after.(map[string]any); changed && !strings.Contains(string(raw), strings.Trim(string(quoted), `"`)) {
			return []string{path + " (a text)"}
		}
	}
	return nil
}

func missingKeys(before, after map[string]any, path string) []string {
	var all []string
	for key, value := range before {
		best, found := []string{path + "." + key}, false
		for other, now := range after {
			base, _, _ := strings.Cut(other, "AsImported")
			if strings.EqualFold(other, key) || strings.EqualFold(base, key) {
				if missing := missingIn(value, now, path+"."+key); !found || len(missing) < len(best) {
					best, found = missing, true
				}
			}
		}
		all = append(all, best...)
	}
	return all
}

func TestWhereAnImportedSessionGoesOn(t *testing.T) {
	const two = `"phases":[{"name":"A","status":"complete","planPath":"docs/plans/a.md"},{"name":"B","status":"in-progress"%s}]`
	plan := fmt.Sprintf(two, `,"planPath":"docs/plans/b.md"`)
	bare, high, over := fmt.Sprintf(two, ""), fmt.Sprintf(two, `,"complexity":"high"`), strings.ReplaceAll(plan, "in-progress", "done")
	for name, c := range map[string]struct {
		rest, phases string
		state        machine.Name
		step         machine.StepName
		phase        int
	}{
		"EXECUTE asks for the plan again":             {`"currentState":"EXECUTE","currentPhase":1`, plan, machine.ApprovePlan, machine.StepWeigh, 1},
		"EXECUTE without a plan":                      {`"currentState":"EXECUTE","currentPhase":1`, bare, machine.Assess, machine.StepLook, 1},
		"APPROVE_PLAN":                                {`"currentState":"approve-plan","currentPhase":1`, plan, machine.ApprovePlan, machine.StepWeigh, 1},
		"ASSESS":                                      {`"currentState":"ASSESS","currentPhase":1`, bare, machine.Assess, machine.StepLook, 1},
		"PLAN":                                        {`"currentState":"PLAN","currentPhase":1`, bare, machine.Plan, machine.StepPlan, 1},
		"PLAN at thorough":                            {`"currentState":"PLAN","currentPhase":1,"rigorLevel":"thorough"`, bare, machine.Plan, machine.StepSkeleton, 1},
		"PLAN that is a human's":                      {`"currentState":"PLAN","currentPhase":1`, high, machine.Assess, machine.StepLook, 1},
		"VERIFY":                                      {`"currentState":"VERIFY","currentPhase":1`, plan, machine.Verify, machine.StepCommands, 1},
		"INTEGRATE was REVIEW":                        {`"currentState":"INTEGRATE","currentPhase":1`, plan, machine.Review, machine.StepReview, 1},
		"PHASE_COMPLETE that is not recorded":         {`"currentState":"PHASE_COMPLETE","currentPhase":1`, plan, machine.PhaseComplete, machine.StepRecord, 1},
		"PHASE_COMPLETE that is recorded":             {`"currentState":"PHASE_COMPLETE","currentPhase":0`, bare, machine.Assess, machine.StepLook, 1},
		"PHASE_COMPLETE in the history":               {`"currentState":"PHASE_COMPLETE","currentPhase":1,"history":[{"phase":1,"name":"B"}]`, plan, machine.FinalReview, machine.StepReview, 1},
		"a finished phase is not done again":          {`"currentState":"EXECUTE","currentPhase":0`, plan, machine.Assess, machine.StepLook, 1},
		"OUTCOME_EVAL was FINAL_REVIEW":               {`"currentState":"OUTCOME_EVAL","currentPhase":1`, over, machine.FinalReview, machine.StepReview, 1},
		"FINAL_REVIEW with an open phase":             {`"currentState":"FINAL_REVIEW","currentPhase":0`, plan, machine.Assess, machine.StepLook, 1},
		"COMPLETE was DONE":                           {`"currentState":"COMPLETE","currentPhase":2`, over, machine.Done, machine.StepClosed, 1},
		"COMPLETE with an open phase":                 {`"currentState":"COMPLETE","currentPhase":0`, plan, machine.Assess, machine.StepLook, 1},
		"INIT":                                        {`"currentState":"INIT","currentPhase":1`, plan, machine.Init, machine.StepBranch, 1},
		"a state that nobody knows":                   {`"currentState":"EXECUTF","currentPhase":1`, plan, machine.Assess, machine.StepLook, 1},
		"no state":                                    {`"currentPhase":1`, plan, machine.Assess, machine.StepLook, 1},
		"currentPhase beyond the last":                {`"currentState":"ASSESS","currentPhase":7`, bare, machine.Assess, machine.StepLook, 1},
		"currentPhase below the first":                {`"currentState":"ASSESS","currentPhase":-1`, bare, machine.Assess, machine.StepLook, 1},
		"currentPhase as a name":                      {`"currentState":"ASSESS","currentPhase":"b"`, bare, machine.Assess, machine.StepLook, 1},
		"currentPhase as a text":                      {`"currentState":"ASSESS","currentPhase":"1"`, bare, machine.Assess, machine.StepLook, 1},
		"no currentPhase":                             {`"currentState":"ASSESS"`, bare, machine.Assess, machine.StepLook, 1},
		"a key in another case, and one of its shape": {`"CurrentState":"ASSESS","currentphase":1.0`, bare, machine.Assess, machine.StepLook, 1},
	} {
		s := openReal(t, olderSession(t, fmt.Sprintf(`{"schemaVersion":5,%s,%s}`, c.rest, c.phases))).State()
		if s.CurrentState != c.state || s.Step != c.step || s.CurrentPhase != c.phase {
			t.Errorf("%s: %s %s, phase %d; want %s %s, phase %d", name, s.CurrentState, s.Step, s.CurrentPhase, c.state, c.step, c.phase)
		}
		if _, ok := machine.Steps[s.CurrentState][s.Step]; !ok {
			t.Errorf("%s: %s has no step %s", name, s.CurrentState, s.Step)
		}
	}
}

func TestEachMissingFieldIsFilledInOnItsOwn(t *testing.T) {
	for _, version := range []string{"1", "2", "3", "4", "5", `"2"`, "null"} {
		s := openReal(t, olderSession(t, `{"schemaVersion":`+version+`,"currentState":"ASSESS","currentPhase":0,"phases":["Parse"]}`)).State()
		if s.SessionDir != ".harness/sessions/csv" || s.SessionSlug != "csv" || s.StartingCommit != "abc1234" || s.ReviewPlans ||
			s.RigorLevel != machine.Standard || s.FinalReview.Status != "pending" || s.RetryBudget.MaxAttempts != 3 {
			t.Errorf("version %s: %+v", version, s)
		}
		p := s.Phases[0]
		if p.Number != "1" || p.Name != "Parse" || p.Complexity != machine.Medium || p.Status != machine.PhaseInProgress {
			t.Errorf("version %s: phase %+v", version, p)
		}
	}
}

func TestDriftIsReadInThePresentWords(t *testing.T) {
	dir := olderSession(t, fixtures(t)["v3-drift.json"])
	s := openReal(t, dir).State()
	got := document(t, read(t, dir, SnapshotName))
	for path, want := range map[string]any{
		"retryBudget.maxAttempts": 5, "currentState": "REVIEW", "rigorLevel": "standard", "rigorLevelAsImported": "extreme",
		"phases.0.number": "1", "phases.0.index": 0, "phases.0.status": "complete", "phases.1.status": "in-progress", "phases.1.number": "2",
		"phases.2.status": "pending", "phases.2.statusAsImported": "on hold", "phases.2.planPathAsImported": "../../etc/passwd",
		"phases.2.complexity": "medium", "phases.2.complexityAsImported": "huge", "phases.3.name": "A bare name",
		"decisions.0.decision": "All plans were waved through", "decisions.1.decision": "Split it", "decisions.1.reason": "Too large", "decisions.1.what": "Split it",
		"decisions.2.state": "APPROVE_PLAN", "decisions.2.reason": "In scope", "decisions.2.at": "APPROVE_PLAN",
		"decisions.3.decision": "approve_plan", "decisions.3.phaseAsImported": 9, "decisions.3.phase": 3,
		"decisions.4.signals.highComplexity": false, "decisions.4.signals.highComplexityAsImported": "medium", "decisions.4.signals.tasks": 8,
		"history.0.reviewFindings.critical": 1, "history.0.reviewFindings.important": 5, "history.0.reviewFindings.suggestion": 4,
		"history.0.reviewFindings.warning": 3, "history.0.completedAt": "2026-03-23T00:00:00Z", "history.0.outcome": "complete",
		"history.1.outcome": "failed", "history.1.phase": 1, "history.1.startedAtAsImported": "some time", "history.1.verificationPassed": false,
		"finalReview.status": "passed", "finalReview.findings.0.severity": "critical", "finalReview.findings.0.status": "fixed",
		"finalReview.findings.0.source": "reviewer", "finalReview.findings.1.title": "A bare finding",
		"stepAsImported": "dispatch", "gateAsImported.question": "Go on?", "gates.build": "pass", "sessionDirAsImported": ".harness/sessions/other",
		"specPath": "docs/csv.md",
	} {
		sameJSON(t, path, at(got, strings.Split(path, ".")), want)
	}
	if s.Gate != nil || len(s.Tasks) > 0 || len(s.InFlight) > 0 {
		t.Errorf("gate %v, tasks %v, in flight %v", s.Gate, s.Tasks, s.InFlight)
	}
	if s.Phases[1].StartCommit != "143b276" {
		t.Errorf("the phase is judged from %q", s.Phases[1].StartCommit)
	}
}

func TestSpecFillsInWhatAFileDoesNotSay(t *testing.T) {
	text := legacy.SpecText{
		Path: "docs/csv.md", Slug: "csv", Spec: machine.SpecRef{SHA256: "s", Title: "CSV", Criteria: []string{"it reads"}},
		Phases: []machine.PhaseText{{Number: "A", Name: "Parse", Complexity: machine.High, SHA256: "a"}, {Number: "B", Name: "Write", Complexity: machine.Low, SHA256: "b"}},
	}
	opts, asked := realOptions(), ""
	opts.Spec = func(path string) (legacy.SpecText, error) { asked = path; return text, nil }
	s, err := Open(olderSession(t, `{"schemaVersion":2,"specPath":"docs/csv.md","currentState":"ASSESS","currentPhase":1,
		"phases":[{"name":"Phase 2: write","status":"done"},{"status":"pending"}]}`), opts)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	got := s.State()
	sameJSON(t, "spec", got.Spec, text.Spec)
	if asked != "docs/csv.md" || got.Phases[0].Number != "B" || got.Phases[0].SpecSHA256 != "b" || got.Phases[0].Name != "Phase 2: write" {
		t.Errorf("asked for %q, first phase %+v", asked, got.Phases[0])
	}
	if p := got.Phases[1]; p.Number != "A" || p.Name != "Parse" || p.Complexity != machine.High {
		t.Errorf("second phase %+v", p)
	}
	fresh, err := Open(olderSession(t, `{"schemaVersion":1,"currentState":"INIT","phases":[]}`), opts)
	if err != nil {
		t.Fatal(err)
	}
	defer fresh.Close()
	if s := fresh.State(); len(s.Phases) != 2 || s.SpecPath != "docs/csv.md" || s.CurrentState != machine.Init {
		t.Errorf("phases %v of %q in %s", s.Phases, s.SpecPath, s.CurrentState)
	}
}

func TestUnknownStartIsSaid(t *testing.T) {
	file := `{"schemaVersion":2,"currentState":"ASSESS","phases":["A"]}`
	for name, c := range map[string]struct {
		find func() (string, error)
		want string
	}{
		"found":     {func() (string, error) { return "abc", nil }, "merge base with the default branch is taken, abc"},
		"failed":    {func() (string, error) { return "", errors.New("no") }, "begins at HEAD"},
		"no finder": {nil, "looked for when the session is resumed"},
	} {
		_, notes, err := Read(olderSession(t, file), Options{Now: clock(), StartingCommit: c.find})
		if err != nil || !strings.Contains(strings.Join(notes, "\n"), c.want) {
			t.Errorf("%s: %q, error %v", name, notes, err)
		}
	}
}
