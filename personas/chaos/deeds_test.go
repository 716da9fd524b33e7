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
	c := &Cast{Work: props{Check: "check.sh"}.work, Agent: quiet{}, Environ: os.Environ(), Profile: Profile{
		Choose: func(personas.Dispatch, int) Cue { return Cue{Behaviour: Tamperer, Form: "weakens the check"} },
	}}
	var parts []Part
	for attempt := range 2 {
		d := dispatchOf(personas.Reviewer, "", attempt+1)
		d.Dir = dir
		if _, err := c.Dispatch(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, c.Part(d.ID))
	}
	if !parts[0].Shown() || !slices.Equal(parts[0].Changed, []string{"check.sh"}) {
		t.Errorf("the first changed %q", parts[0].Changed)
	}
	if parts[1].Shown() || len(parts[1].Changed) > 0 {
		t.Errorf("the second changed %q", parts[1].Changed)
	}
}

// props are all that there is in dispatches without work.
type props Props

func (p props) work(personas.Dispatch, int) (Work, error) { return Work{Props: Props(p)}, nil }
