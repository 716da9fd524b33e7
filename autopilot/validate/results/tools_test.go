package results

import (
	"os"
	"path/filepath"
	"testing"
)

func TestEachProgramThatIsReadHasItsOutputs(t *testing.T) {
	read := 0
	for _, tool := range Tools {
		if tool.read == nil {
			continue
		}
		read++
		if _, err := os.Stat(filepath.Join("testdata", "programs", tool.Name+".txtar")); err != nil {
			t.Error(err)
		}
	}
	if files, _ := filepath.Glob("testdata/programs/*.txtar"); len(files) != read {
		t.Errorf("%d files for %d programs", len(files), read)
	}
}

func TestEachProgramWithACommandRunsOneTestAlone(t *testing.T) {
	for _, tool := range Tools {
		if (len(tool.commands) > 0) != (tool.alone != nil) {
			t.Errorf("%s: %d commands, and yet no way to run one test alone, or the reverse", tool.Name, len(tool.commands))
		}
	}
}
