package sessions

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"autopilot/autopilot/machine"
)

// AuditRecords is the part of the files that show the records to people and to other tools.
const AuditRecords = "records"

// lookAtRecords holds the files that show records and tasks against the journal. They decide nothing, but people and
// other tools believe them.
func (a *Audited) lookAtRecords(dir string) {
	proofs := map[string]machine.Proof{}
	for _, p := range a.Proofs {
		proofs[p.Key] = p
	}
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // what cannot be read is no record
		}
		name, _ := filepath.Rel(dir, path)
		name = filepath.ToSlash(name)
		switch {
		case d.Name() == "evidence.json", strings.HasPrefix(name, "phase-") && strings.HasSuffix(name, "-verify.json"):
			a.lookAtShown(path, name, proofs)
		case strings.HasPrefix(name, "phase-") && strings.HasSuffix(name, "-tasks.json"):
			a.lookAtTasks(path, name)
		}
		return nil
	})
}

// lookAtShown compares a record that is shown beside the journal with the one in it. One that has no key, or the key of
// an event that was never recorded because the run ended there, shows nothing.
func (a *Audited) lookAtShown(path, name string, proofs map[string]machine.Proof) {
	var shown struct {
		Key      string
		Checks   []machine.Check
		Evidence *machine.Evidence
	}
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &shown)
	}
	if err != nil {
		a.problem(AuditRecords, name, "the record that people read is gone; the journal has it", "it cannot be read: %v", err)
		return
	}
	p, known := proofs[shown.Key]
	if known && !(equalJSON(shown.Checks, p.Checks) && equalJSON(shown.Evidence, p.Evidence)) {
		a.problem(AuditRecords, name, "the journal or this file was changed after the commands ran",
			"it is not what the journal has at revision %d", p.Rev)
	}
}

// lookAtTasks looks for tasks that are shown as completed and that no event completed.
func (a *Audited) lookAtTasks(path, name string) {
	var shown struct {
		Tasks []struct{ ID, Status string }
	}
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &shown)
	}
	phase, numErr := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(name, "phase-"), "-tasks.json"))
	if err != nil || numErr != nil {
		a.problem(AuditRecords, name, "other tools cannot read the tasks of the phase", "it cannot be read: %v", err)
		return
	}
	for _, t := range shown.Tasks {
		if t.Status == machine.TaskCompleted && !a.completed(phase, t.ID) {
			a.problem(AuditRecords, name, "whoever reads it takes the task for done", "%s", fmt.Sprintf("%s is completed there, and in the journal it is not", t.ID))
		}
	}
}

func (a *Audited) completed(phase int, task string) bool {
	for _, c := range a.Claims {
		if c.Kind == machine.ClaimTask && c.Task == task && (c.Phase == phase || c.Phase == 0) {
			return true
		}
	}
	return false
}
