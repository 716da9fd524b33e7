package evidence

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"autopilot/autopilot/machine"
)

func TestEvidenceThatCouldNotBeWrittenWholeIsNone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "evidence.log")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for mode, whole := range map[int]bool{os.O_WRONLY: true, os.O_RDONLY: false} {
		file, err := os.OpenFile(path, mode, 0)
		if err != nil {
			t.Fatal(err)
		}
		r := newRecording(file, "evidence.log")
		r.Begin("go test ./...")
		fmt.Fprintln(r, "ok")
		if err := r.Keep(&machine.Evidence{}, filepath.Join(t.TempDir(), "shown.log")); (err == nil) != whole {
			t.Errorf("mode %d: %v", mode, err)
		}
	}
}
