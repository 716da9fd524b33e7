package chaos

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"autopilot/personas"
)

// TestADeedThatChangesNothingIsNotShown empties a file twice: the second time it was empty.
func TestADeedThatChangesNothingIsNotShown(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "check.sh"), []byte("make test\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := &Cast{Stage: props{Check: "check.sh"}, Agent: quiet{}, Environ: os.Environ(), Profile: Profile{
		Cues: []Cue{{By: personas.Reviewer, Behaviour: Tamperer, Form: "weakens the check"}},
	}}
	for attempt := range 2 {
		d := dispatchOf(personas.Reviewer, "", attempt+1)
		d.Dir = dir
		if _, err := c.Dispatch(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	parts := c.Parts()
	if !parts[0].Shown() || !slices.Equal(parts[0].Changed, []string{"check.sh"}) {
		t.Errorf("the first changed %q", parts[0].Changed)
	}
	if parts[1].Shown() || len(parts[1].Changed) > 0 {
		t.Errorf("the second changed %q", parts[1].Changed)
	}
}

// props are a stage without work.
type props Props

func (p props) Work(personas.Dispatch, int) (Work, error) { return Work{Props: Props(p)}, nil }

// TestACueIsForOneDispatchOrForEach asks who misbehaves in the first dispatches of a phase.
func TestACueIsForOneDispatchOrForEach(t *testing.T) {
	t.Parallel()
	p := Profile{Cues: []Cue{{By: personas.Executor, At: 2, Behaviour: Liar}, {By: personas.Verifier, Behaviour: Oscillating}}}
	executor, verifier := dispatchOf(personas.Executor, "task-001", 1), dispatchOf(personas.Verifier, "", 1)
	diagnosis := verifier
	diagnosis.Purpose = personas.Diagnosis
	for name, c := range map[string]struct {
		d    personas.Dispatch
		nth  int
		want Behaviour
	}{
		"the executor's first":  {executor, 1, Honest},
		"the executor's second": {executor, 2, Liar},
		"a verifier's third":    {verifier, 3, Oscillating},
		"a diagnosis":           {diagnosis, 3, Honest},
		"a reviewer":            {dispatchOf(personas.Reviewer, "", 1), 2, Honest},
	} {
		if got := p.choose(c.d, c.nth, nil).Behaviour; got != c.want {
			t.Errorf("%s plays %q", name, got)
		}
	}
}
