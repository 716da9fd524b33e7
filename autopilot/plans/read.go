package plans

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/shell"
	"autopilot/spec/plan"
)

// Located is what the search for a plan came to.
type Located struct {
	Path    string
	Plan    *plan.Plan // nil: none was found
	Trouble string     // why not
	None    bool       // there is nothing that could be the plan
	Several bool
	Same    string // the plan that would fit, and is as it was when it was wanted
}

// Locate finds the phase's plan and reads it.
func (ps Plans) Locate() (Located, error) { return ps.locate(ps.Journal.Phase()) }

// Against is why the plan that a planner hands in as this file would not be run, with all lines; "" is that it would.
func (ps Plans) Against(file string) (string, error) {
	p := ps.Journal.Phase()
	p.PlanHint = file
	found, err := ps.locate(p)
	switch {
	case err != nil || found.Several: // which of several is meant, a person says
		return "", err
	case found.Plan == nil:
		return found.Trouble, nil
	}
	return strings.Join(machine.Hindrances(Facts(found.Path, found.Plan).Tasks), "\n"), nil
}

func (ps Plans) locate(p machine.Phase) (Located, error) {
	found, err := ps.candidates(p)
	if err != nil {
		return Located{}, err
	}
	switch n := len(found.plans); {
	case n > 1:
		return Located{Trouble: fmt.Sprintf("several plans fit: %s. Keep the one that you mean: remove the others, or name them %s; or say which: autopilot plan %s --file %s",
			strings.Join(found.plans, ", "), draftSuffix, shell.QuotePath(ps.Journal.State().SpecPath), shell.QuotePath(found.plans[0])), Several: true}, nil
	case n == 0 && len(found.same) == 1 && ps.HumansPlan(ps.Journal.State().CurrentPhase):
		return Located{Same: found.same[0], Trouble: fmt.Sprintf("%s was there before the question; to use it as it is, answer done",
			found.same[0])}, nil
	case n == 0 && len(found.same) > 0:
		return Located{Trouble: strings.Join(found.same, ", ") + ": nothing is new or changed there since the plan was wanted"}, nil
	case n == 0:
		return Located{Trouble: fmt.Sprintf("no plan was found: expected a Markdown file such as %s", ps.wanted(p)), None: true}, nil
	}
	file := found.plans[0]
	plan, err := ps.Read(file)
	if err == nil {
		err = plan.Doubt() // who has just written it can fix it best
	}
	if err != nil {
		return Located{Trouble: fmt.Sprintf("%s: %v", file, err)}, nil
	}
	return Located{Path: file, Plan: plan}, nil
}

// Own is the SHA-256 of the plan that was found, where no agent can have written any of it: no planner was at work on the
// phase, and neither the file nor a draft of it was there when the plan was wanted, since when no agent ran. Else it is "".
func (ps Plans) Own(found Located) string {
	p := ps.Journal.Phase()
	_, stood := p.Planning.Stood[found.Path]
	_, drafted := p.Planning.Stood[draftOf(found.Path)]
	if stood || drafted || p.Planning.Stood == nil || p.HadPlanner() {
		return ""
	}
	return found.Plan.SHA256
}

// Read reads a plan at a path relative to the working tree; the one that was read last is not parsed again. Errors: those of
// reading the file, *markdown.ParseError.
func (ps Plans) Read(file string) (*plan.Plan, error) {
	src, err := plainfile.ReadIn(ps.Root, file)
	if err != nil {
		return nil, err
	}
	return ps.Parsed.parse(src)
}

// Written is the task as the plan file has it.
func (ps Plans) Written(t machine.Task) (plan.Task, bool) {
	read, err := ps.Read(ps.Journal.Phase().PlanPath)
	if err != nil {
		return plan.Task{}, false
	}
	i := slices.IndexFunc(read.Tasks, func(w plan.Task) bool { return w.Number == t.Number })
	if i < 0 {
		return plan.Task{}, false
	}
	return read.Tasks[i], true
}

// Facts is a plan as the core takes it.
func Facts(file string, plan *plan.Plan) *machine.PlanFacts {
	f := &machine.PlanFacts{Path: file, SHA256: plan.SHA256}
	ids := map[string]string{}
	for i, t := range plan.Tasks {
		ids[t.Number] = machine.TaskID(i + 1)
	}
	for i, t := range plan.Tasks {
		task := machine.Task{
			ID: machine.TaskID(i + 1), Number: t.Number, Title: t.Title, DependsOn: []string{}, Files: append([]string{}, t.Files...),
			FilesNone: t.FilesNone, Owns: t.Owns, ChangesTests: t.ChangesTests, Validation: t.Validation, ValidationNone: t.ValidationNone,
		}
		for _, n := range t.DependsOn {
			task.DependsOn = append(task.DependsOn, cmp.Or(ids[n], strconv.Quote(n))) // what is not there is no id
		}
		f.Tasks = append(f.Tasks, task)
	}
	for _, c := range plan.Checkpoints {
		f.Checkpoints = append(f.Checkpoints, machine.Checkpoint{Task: ids[c.Task], Kind: c.Kind, Text: c.Text, Options: c.Options})
	}
	return f
}
