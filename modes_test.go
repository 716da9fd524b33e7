package house

import (
	"regexp"
	"strings"
	"testing"
)

// forOthers are the files that write what others than the user may read, as far as the umask lets them, and what that is.
// All else is autopilot's own: plainfile has its modes.
var forOthers = map[string]string{
	"autopilot/blind/run.go":              "checks, in a clean working tree",
	"autopilot/git/commit.go":             "a message, into a private file that is there",
	"autopilot/git/folder.go":             "git's own files",
	"autopilot/plainfile/held.go":         "files that were changed, as they were",
	"autopilot/git/index.go":              "git's index",
	"autopilot/git/disk/put.go":           "a working tree",
	"autopilot/git/worktree.go":           "a working tree",
	"autopilot/large.go":                  ".gitignore",
	"autopilot/plainfile/confined.go":     "folders of files that an agent changed, as they were",
	"autopilot/plainfile/private.go":      "the folder .harness, which has working trees in it",
	"autopilot/proof/cleantree.go":        "a working tree",
	"autopilot/proof/mutate.go":           "nothing: it is about code with such numbers",
	"autopilot/proof/mutations.go":        "a working tree",
	"autopilot/steering/putback.go":       "a folder of hooks, as it was",
	"autopilot/workspace/controlfiles.go": "files that an agent changed, as they were",
	"autopilot/worktree/setup.go":         "a working tree",
	"cmd/app/crash.go":                    "a bug, for tests of crashes",
	"cmd/app/folder.go":                   "plans; the project of a demo",
	"cmd/config/init.go":                  "autopilot.yaml",
	"cmd/config/initscript.go":            "init.sh, which the user edits",
	"cmd/demo.go":                         "the project of a demo",
	"cmd/simulate/run.go":                 "logs, where the user wants them",
	"cmd/tasks/hooksettingsfile.go":       "settings of other programs",
	"cmd/tasks/init.go":                   ".gitignore, and a script that the user edits",
	"personas/agent/toolbox/write.go":     "a working tree",
	"personas/chaos/deeds.go":             "a working tree",
	"sessions/session.go":                 "the folder .harness",
	"sessions/storage/replace.go":         "a task list",
	"sessions/taskfile/lock.go":           "the lock beside a task list",
	"sessions/taskfile/log.go":            "the log beside a task list",
	"sessions/taskfile/markers.go":        "marks beside a task list",
}

func TestOnlyWhatIsTheUsersIsWrittenForOthers(t *testing.T) {
	modes, seen := regexp.MustCompile(`\b0o[67][0-7]{2}\b`), map[string]bool{}
	for name, text := range goFiles(t) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, mode := range modes.FindAllString(text, -1) {
			seen[name] = seen[name] || !strings.HasSuffix(mode, "00")
			if seen[name] && forOthers[name] == "" {
				t.Errorf("%s: what is written with %s others can read: take plainfile.PrivateFile or MakeFolder, or say in forOthers what it is", name, mode)
			}
		}
	}
	for name := range forOthers {
		if !seen[name] {
			t.Errorf("%s writes nothing for others: take it out of forOthers", name)
		}
	}
}
