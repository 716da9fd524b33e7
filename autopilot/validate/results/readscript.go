package results

import "autopilot/autopilot/project"

// scriptFormat reads what the test script says that npm writes into a new package.json.
type scriptFormat struct{ programReport }

func (f *scriptFormat) read(line string) bool {
	if line != "Error: "+project.NoTestsYet {
		return false
	}
	f.none(1)
	return true
}
