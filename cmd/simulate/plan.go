package simulate

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions"
	"autopilot/sessions/storage"
	"autopilot/spec"
	"autopilot/spec/plan"
)

// scriptedPlan is the plan of a phase in a simulation: the user's own in another form, or one that is made up.
type scriptedPlan struct {
	phase spec.Phase
	at    int // 1-based position
	from  string
	plan  *plan.Plan
}

// usersPlans finds the plan of each phase: the one that the session knows, else one that fits among the plans of the
// repository; else two tasks are made up, the second of which needs the first.
func usersPlans(w *app.Workspace, s *spec.Spec) []scriptedPlan {
	var plans []scriptedPlan
	state, _, err := sessions.Read(w.Session, app.SessionOptions(w.Host))
	for i, phase := range s.Phases {
		p := scriptedPlan{phase: phase, at: i + 1}
		if err == nil && i < len(state.Phases) {
			p.from = state.Phases[i].PlanPath
		}
		if p.from, p.plan = planOf(w, phase, p.from); p.plan == nil {
			p.plan = &plan.Plan{Tasks: []plan.Task{
				{Number: "1", Title: "Make the first half of " + phase.Name},
				{Number: "2", Title: "Make the second half of " + phase.Name, DependsOn: []string{"1"}},
			}}
		}
		plans = append(plans, p)
	}
	return plans
}

// planOf reads the plan that is known, or the last one in the plan folders that fits; nil where there is none.
func planOf(w *app.Workspace, phase spec.Phase, known string) (string, *plan.Plan) {
	files, _ := storage.Below(storage.OSDisk{}, w.Repo.Root(), "docs", "plans", "*.md")
	topic, _ := storage.Below(storage.OSDisk{}, filepath.Dir(w.Spec), "plans", "*.md")
	files = append(files, topic...)
	slices.Sort(files) // names begin with a date
	for _, file := range slices.Backward(append(files, filepath.Join(w.Repo.Root(), filepath.FromSlash(known)))) {
		src, err := os.ReadFile(file)
		if err != nil || strings.HasSuffix(file, ".draft.md") {
			continue
		}
		plan, err := plan.ParsePlan(src)
		rel, _ := filepath.Rel(w.Repo.Root(), file)
		if rel = filepath.ToSlash(rel); err == nil && (rel == known || plan.Fits(rel, w.Rel, phase)) {
			return rel, plan
		}
	}
	return "", nil
}

// file is where the plan is written.
func (p scriptedPlan) file(dir string) string {
	return path.Join(dir, strings.Trim(fmt.Sprintf("simulated-%d-%s", p.at, spec.PhaseSlug(p.phase.Name)), "-")+"-plan.md")
}

// text writes the plan for a simulation: its tasks, their order, files and checkpoints are the plan's, and each is checked
// by whether its files carry its mark. nth tells one version from the next.
func (p scriptedPlan) text(specPath string, nth int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Plan: %s\n\n**Spec:** %s\n**Phase:** %s\n\n## Goal\n\nSimulated, version %d.\n\n## Tasks\n", oneText(p.phase.Name), specPath, p.phase.Number, nth)
	for i, t := range p.plan.Tasks {
		m, files, check := mark{p.at, machine.TaskID(i + 1)}, "none", "none"
		if !t.FilesNone {
			files = strings.Join(append(p.files(i), m.manifest()), ", ")
			if !t.ValidationNone {
				check = fmt.Sprintf("`sh %s %s`", checkScript, m.manifest())
			}
		}
		fmt.Fprintf(&b, "\n### Task %s: %s\n\n**Depends on:** %s\n**Files:** %s\n", t.Number, oneText(t.Title), cmp.Or(p.known(t.DependsOn), "none"), files)
		if len(t.ChangesTests) > 0 {
			fmt.Fprintf(&b, "**Changes tests:** %s\n", strings.Join(t.ChangesTests, ", "))
		}
		fmt.Fprintf(&b, "**Validation:** %s\n", check)
		for _, c := range p.plan.Checkpoints {
			if c.Task != t.Number {
				continue
			}
			fmt.Fprintf(&b, "\n[checkpoint:%s] %s\n", c.Kind, oneText(c.Text))
			for i, o := range c.Options {
				fmt.Fprintf(&b, "%d. %s\n", i+1, oneText(o))
			}
		}
	}
	return b.String()
}

// known leaves out what is no task of the plan: the plan would be sent back for it.
func (p scriptedPlan) known(numbers []string) string {
	var names []string
	for _, n := range numbers {
		if slices.ContainsFunc(p.plan.Tasks, func(t plan.Task) bool { return t.Number == n }) {
			names = append(names, "Task "+n)
		}
	}
	return strings.Join(names, ", ")
}

// files are those that a task makes: what the plan names, without folders and patterns; a made-up task makes its own.
func (p scriptedPlan) files(task int) []string {
	var files []string
	for _, f := range p.plan.Tasks[task].Files {
		if !strings.ContainsAny(f, "*?[`,") && !strings.HasSuffix(f, "/") && filepath.IsLocal(filepath.FromSlash(f)) {
			files = append(files, path.Clean(f))
		}
	}
	if len(files) == 0 {
		files = []string{fmt.Sprintf("simulated/phase-%d-task-%d.txt", p.at, task+1)}
	}
	return files
}

// oneText is a text of the user's for a line of Markdown.
func oneText(text string) string {
	return strings.NewReplacer("`", "'", "[", "(", "]", ")", "*", "", "<", "(", ">", ")").Replace(console.OneLine(text))
}
